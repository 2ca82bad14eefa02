package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import dev.sluice.windows.WindowsJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where JNA unpacks its library, from which Windows loads it. */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
@Tag(Depth.IN_MATRIX)
class JnaDirectoryTest {

    private WindowsJvm jvm;
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        jvm = WindowsJvm.ofVersion(17);
        directory = jvm.newDirectory();
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        WindowsJvm.delete(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jna.tmpdir", "java.io.tmpdir"})
    void mayHaveBlanksAndMarks(String property) throws Exception {
        Path unpacked = Files.createDirectory(directory.resolve("a 100% directory! of (mine) & more"));
        assertEquals("jna      yes     auto", jna(property, unpacked));
        try (Stream<Path> files = Files.walk(unpacked)) {
            assertTrue(files.anyMatch(file -> file.toString().endsWith(".dll")), "JNA unpacks elsewhere");
        }
    }

    /** A file stands for a directory that its user may not write to: the tests may run as one who may do all. */
    @ParameterizedTest
    @ValueSource(strings = {"jna.tmpdir", "java.io.tmpdir"})
    void isAskedForWhereThereIsNone(String property) throws Exception {
        String row = jna(property, Files.createFile(directory.resolve("file")));
        assertTrue(row.startsWith("jna      no      JNA does not load: "), row);
        assertTrue(row.endsWith("; another temporary directory may help: -Djna.tmpdir=DIRECTORY"), row);
    }

    /** {@return what the doctor says of JNA} */
    private String jna(String property, Path value) throws Exception {
        try (WindowsSample doctor = WindowsSample.start(jvm,
                List.of("-D" + property + "=" + jvm.windowsPath(value)), "doctor")) {
            assertEquals(0, doctor.process().awaitExit(), doctor.process().errors()::text);
            return doctor.process().output().lines().stream().filter(line -> line.startsWith("jna ")).findFirst()
                    .orElseThrow();
        }
    }
}
