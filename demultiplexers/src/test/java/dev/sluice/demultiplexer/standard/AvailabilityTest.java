package dev.sluice.demultiplexer.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.testing.Depth;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** What is said of demultiplexers that cannot be used, where something is missing from the start. */
@EnabledOnOs(OS.LINUX)
class AvailabilityTest {

    private static final String NONE =
            "no native binding is usable: none found: add sluice-native-ffm or sluice-native-jna";

    @TempDir
    Path directory;

    @Test
    void withoutABindingNothingIsUsableAndNothingThrows() throws Exception {
        List<String> said = SmallJvm.run(AvailabilityListing.class, List.of(CodeLocation.of(Bindings.class),
                CodeLocation.of(Mechanism.class), CodeLocation.of(StandardDemultiplexers.class),
                CodeLocation.of(AvailabilityListing.class), CodeLocation.of(SmallJvm.class),
                CodeLocation.of(LoggerFactory.class)));
        assertEquals(Mechanism.available().size() + 3, said.size(), () -> String.join("\n", said));
        assertTrue(said.contains("bindings: no " + NONE), () -> String.join("\n", said));
        assertTrue(said.contains("epoll at home: no " + NONE), () -> String.join("\n", said));
        assertTrue(said.contains("iocp elsewhere: no Windows only"), () -> String.join("\n", said));
        assertTrue(said.containsAll(Set.of("SYNCHRONOUS: " + NONE, "ASYNCHRONOUS: " + NONE)),
                () -> String.join("\n", said));
    }

    @Test
    void isMultiThreadedIfItsMechanismIsConcurrent() throws IOException {
        for (Mechanism mechanism : Mechanism.available()) {
            if (mechanism.mode() == Mode.ASYNCHRONOUS && mechanism.availability().usable()) {
                try (AsynchronousEventDemultiplexer opened = DemultiplexerFactory.of(mechanism).openAsynchronous()) {
                    assertEquals(mechanism.isConcurrent(), opened.isMultiThreaded(), mechanism.name());
                }
            }
        }
    }

    @Test
    void missingLibraryOfKqueueIsNamed() throws Exception {
        Path library = directory.resolve("libkqueue.so.0");
        List<String> said = SmallJvm.run(AvailabilityListing.class, classPath(),
                "-Dsluice.kqueue.library=" + library, "-Dsluice.native=" + Bindings.current().name());
        assertEquals(
                Set.of("kqueue at home: no -Dsluice.kqueue.library=" + library + " does not load, or has no kqueue"),
                said.stream().filter(line -> line.startsWith("kqueue ")).collect(Collectors.toSet()));
        assertTrue(said.stream().noneMatch(line -> line.contains("ENOSYS")), () -> String.join("\n", said));
    }

    static Stream<String> unknownProcessors(TestInfo test) {
        return Depth.first(test, Stream.of("arm", "ppc64", "mips64el", "vax"), 1);
    }

    /** Neither binding gets as far as to load anything native, which would end in a failure of the linker or of JNA. */
    @ParameterizedTest
    @MethodSource("unknownProcessors")
    void processorThatIsNotKnownIsRefusedInOneSentence(String processor) throws Exception {
        String reason = "the layouts of Linux on " + processor + " are not known here, only those on x86_64, ";
        // Before Java 22 one of them is not for this Java, which comes first.
        List<String> bindings = Runtime.version().feature() < 22 ? List.of("jna") : List.of("ffm", "jna");
        for (String binding : bindings) {
            List<String> said = SmallJvm.run(AvailabilityListing.class, classPath(), "-Dos.arch=" + processor,
                    "-Dsluice.native=" + binding);
            String refusal = "native binding '" + binding + "' of -Dsluice.native is not usable; bindings: ";
            for (String asked : List.of("bindings: no ", "epoll at home: no ", "SYNCHRONOUS: ", "ASYNCHRONOUS: ")) {
                assertTrue(said.stream().anyMatch(line -> line.startsWith(asked + refusal) && line.endsWith(")")
                        && line.contains(binding + " (" + reason)), () -> String.join("\n", said));
            }
        }
    }

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.isEmpty()).map(Path::of).toList();
    }
}
