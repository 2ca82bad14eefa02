package dev.sluice.lucene;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import dev.sluice.files.FileLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;

/** A program that searches an index in several ways, and then adds as many books as it has. */
final class SearchProgram {

    /** System property with the directory of the index. */
    static final String INDEX = "index";

    /** System property with the number of books in the index. */
    static final String BOOKS = "books";

    /** Those that make calls of their own. */
    static final List<TestedDirectory> WAYS = List.of(TestedDirectory.CACHED, TestedDirectory.CACHED_BY_LOOP,
            TestedDirectory.DIRECT);

    private static final int PREFETCHES = 16;

    private SearchProgram() {
    }

    /** Prints the name of the binding, and what each way finds. */
    public static void main(String[] arguments) throws IOException {
        Path path = Path.of(System.getProperty(INDEX));
        int books = Integer.getInteger(BOOKS);
        say(Bindings.current().name());
        try (FileLoop loop = FileLoop.open()) {
            for (TestedDirectory way : WAYS) {
                try (Directory directory = way.open(path, loop, PREFETCHES)) {
                    say(way + ": " + Books.find(directory));
                }
            }
            try (Directory directory = TestedDirectory.DEFAULT.open(path, loop, PREFETCHES)) {
                Books.write(directory, books, 2 * books, true);
            }
        }
    }

    private static void say(String what) {
        System.out.println(SmallJvm.MARK + what);
    }
}
