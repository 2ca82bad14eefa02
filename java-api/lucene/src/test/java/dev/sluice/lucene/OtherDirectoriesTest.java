package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Indexes that other directories of Lucene write, and that they read. */
class OtherDirectoriesTest extends LeakChecked {

    private static final int BOOKS = 150;

    @TempDir
    Path path;

    static Stream<TestedDirectory> ways(TestInfo test) {
        return Depth.some(test, Stream.of(TestedDirectory.values()), 2);
    }

    private interface Opening {
        Directory open(Path path) throws IOException;
    }

    private void writeAndRead(Opening writer, Opening reader, boolean compound) throws IOException {
        try (Directory directory = writer.open(path)) {
            Books.write(directory, 0, BOOKS, compound);
        }
        List<String> expected;
        try (Directory directory = new NIOFSDirectory(path)) {
            expected = Books.find(directory);
        }
        try (Directory directory = reader.open(path)) {
            assertEquals(expected, Books.find(directory));
            // And goes on with it.
            Books.write(directory, BOOKS, BOOKS + 20, compound);
            assertTrue(Books.isClean(directory));
        }
        try (Directory directory = writer.open(path)) {
            assertEquals("documents: " + (BOOKS + 20), Books.find(directory).get(0));
            assertTrue(Books.isClean(directory));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void othersReadWhatItWrites(TestedDirectory way) throws IOException {
        try (FileLoop loop = FileLoop.open()) {
            writeAndRead(at -> way.open(at, loop, 16), MMapDirectory::new, way.ordinal() % 2 == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void itReadsWhatOthersWrite(TestedDirectory way) throws IOException {
        try (FileLoop loop = FileLoop.open()) {
            writeAndRead(way.ordinal() % 2 == 0 ? MMapDirectory::new : NIOFSDirectory::new,
                    at -> way.open(at, loop, 16), way.ordinal() % 2 == 1);
        }
    }
}
