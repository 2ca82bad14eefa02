package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshnessTest {

    @TempDir
    private Path root;

    private Path stamp;

    @BeforeEach
    void makeTree() throws IOException {
        for (String file : List.of("pom.xml", "native/pom.xml", "native/calls/pom.xml",
                "native/calls/src/main/java/A.java", "native/calls/src/test/java/ATest.java",
                "native/calls/target/A.class", "java-api/core/src/main/resources/a/text",
                "demultiplexers/jcstress/src/main/java/B.java", "samples/servers/src/main/java/C.java",
                "samples/benchmarks/src/main/java/D.java", "samples/benchmarks/src/test/java/DTest.java",
                "samples/README.md", "elsewhere/src/main/java/E.java")) {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), "");
        }
        Files.createDirectories(root.resolve(ModuleList.FILE).getParent());
        Files.copy(Repository.root().resolve(ModuleList.FILE), root.resolve(ModuleList.FILE));
        stamp = Files.writeString(root.resolve("stamp"), "");
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.setLastModifiedTime(path, FileTime.from(1_000_000, TimeUnit.SECONDS));
            }
        }
    }

    private void changed(String file) throws IOException {
        // As little later as file systems can tell.
        Files.setLastModifiedTime(root.resolve(file), FileTime.from(1_000_000_001, TimeUnit.MILLISECONDS));
    }

    @Test
    void nothingIsOutdatedThatIsAsOldAsTheBuild() throws IOException {
        assertFalse(Freshness.isOutdated(root, stamp, ModuleList.BENCHMARKS));
    }

    @Test
    void everythingIsOutdatedThatWasNeverBuilt() throws IOException {
        assertTrue(Freshness.isOutdated(root, root.resolve("samples/none/.built"), ModuleList.SAMPLES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "native/pom.xml", "native/calls/pom.xml", "native/calls/src/main/java/A.java",
            "native/calls/src/main/java", "java-api/core/src/main/resources/a/text",
            "samples/servers/src/main/java/C.java"})
    void whatIsBuiltCounts(String file) throws IOException {
        changed(file);
        assertTrue(Freshness.isOutdated(root, stamp, ModuleList.SAMPLES));
        assertTrue(Freshness.isOutdated(root, stamp, ModuleList.BENCHMARKS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native/calls/src/test/java/ATest.java", "native/calls/target/A.class",
            "demultiplexers/jcstress/src/main/java/B.java", "samples/benchmarks/src/test/java/DTest.java",
            "samples/README.md", "native/calls", "elsewhere/src/main/java/E.java"})
    void testsAndProductsDoNotCount(String file) throws IOException {
        changed(file);
        assertFalse(Freshness.isOutdated(root, stamp, ModuleList.BENCHMARKS));
    }

    @Test
    void theBenchmarksCountForThemselvesAlone() throws IOException {
        changed("samples/benchmarks/src/main/java/D.java");
        assertFalse(Freshness.isOutdated(root, stamp, ModuleList.SAMPLES));
        assertTrue(Freshness.isOutdated(root, stamp, ModuleList.BENCHMARKS));
    }

    @Test
    void exitsWithTheAnswer() throws Exception {
        assertEquals(0, exit());
        changed("pom.xml");
        assertEquals(Freshness.OUTDATED, exit());
    }

    private int exit() throws Exception {
        Process process = new ProcessBuilder(JavaHome.own().executable(), "-cp", System.getProperty("java.class.path"),
                "dev.sluice.samples.Freshness", root.toString(), stamp.toString(), ModuleList.SAMPLES).inheritIO()
                .start();
        assertTrue(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
        return process.exitValue();
    }
}
