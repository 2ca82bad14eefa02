package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.SmallJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What needs a JVM of its own, which runs on the Java of the tests, as they look at memory segments: the binding that
 * Java 21 needs, since a process has one binding, and a limit of the memory outside of the heap.
 */
class OwnJvmTest {

    private static final int BOOKS = 20;

    @TempDir
    Path path;

    @Test
    void indexIsReadAndContinuedOnJna() throws Exception {
        readAndContinue("jna");
    }

    /** Too little for the first part of it. */
    @Test
    void indexIsReadAndContinuedWithoutMemoryToReadAhead() throws Exception {
        readAndContinue("ffm", "-XX:MaxDirectMemorySize=1m");
    }

    private void readAndContinue(String binding, String... options) throws Exception {
        List<String> expected = new ArrayList<>();
        expected.add(binding);
        try (Directory directory = new NIOFSDirectory(path)) {
            Books.write(directory, 0, BOOKS, true);
            String found = Books.find(directory).toString();
            SearchProgram.WAYS.forEach(way -> expected.add(way + ": " + found));
        }
        List<Path> classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.isEmpty()).map(Path::of).toList();
        List<String> all = new ArrayList<>(List.of("-Dsluice.native=" + binding,
                "--enable-native-access=ALL-UNNAMED", "-Xmx128m", "-D" + SearchProgram.INDEX + "=" + path,
                "-D" + SearchProgram.BOOKS + "=" + BOOKS));
        all.addAll(List.of(options));
        assertEquals(expected, SmallJvm.run(SearchProgram.class, classPath, all.toArray(String[]::new)));
        try (Directory directory = new NIOFSDirectory(path)) {
            assertEquals("documents: " + 2 * BOOKS, Books.find(directory).get(0));
            assertTrue(Books.isClean(directory));
        }
    }
}
