"""Why a sentence with all words of a question is nevertheless not called its answer, by what each rule looks at."""
