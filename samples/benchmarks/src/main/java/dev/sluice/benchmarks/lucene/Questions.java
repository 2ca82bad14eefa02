package dev.sluice.benchmarks.lucene;

import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Question;
import java.util.ArrayList;
import java.util.List;

/** The tables of each question, and what is to be reached. */
final class Questions {

    static final SearchFigures DOCUMENTS = new SearchFigures("");
    static final SearchFigures VECTORS = new SearchFigures("vectors: ");

    private Questions() {
    }

    /** {@return all tables} */
    static List<Section> sections() {
        List<Section> sections = new ArrayList<>(DOCUMENTS.sections(null));
        sections.addAll(VECTORS.sections(new Question("vectors",
                "the vectors nearest to a given one, of which 100 are scored again by their full vectors")));
        return sections;
    }
}
