package dev.sluice.benchmarks.lucene;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the index, in a process with the options that Lucene's vectors need. */
final class IndexMain {

    private IndexMain() {
    }

    /**
     * Writes it.
     *
     * @param args the folder, and the number of documents
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        new SearchedIndex(Path.of(args[0]), Integer.parseInt(args[1])).write();
    }
}
