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
 * The binding that Java 21 needs, where all other tests here have the best one: in a JVM of its own, since a process
 * has one binding, and on the Java of the tests, as they look at memory segments.
 */
class OtherBindingTest {

    private static final String BINDING = "jna";
    private static final int BOOKS = 20;

    @TempDir
    Path path;

    @Test
    void indexIsReadAndContinuedOnJna() throws Exception {
        List<String> expected = new ArrayList<>();
        expected.add(BINDING);
        try (Directory directory = new NIOFSDirectory(path)) {
            Books.write(directory, 0, BOOKS, true);
            String found = Books.find(directory).toString();
            OtherBindingProgram.WAYS.forEach(way -> expected.add(way + ": " + found));
        }
        List<Path> classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.isEmpty()).map(Path::of).toList();
        assertEquals(expected, SmallJvm.run(OtherBindingProgram.class, classPath, "-Dsluice.native=" + BINDING,
                "--enable-native-access=ALL-UNNAMED", "-Xmx128m", "-D" + OtherBindingProgram.INDEX + "=" + path,
                "-D" + OtherBindingProgram.BOOKS + "=" + BOOKS));
        try (Directory directory = new NIOFSDirectory(path)) {
            assertEquals("documents: " + 2 * BOOKS, Books.find(directory).get(0));
            assertTrue(Books.isClean(directory));
        }
    }
}
