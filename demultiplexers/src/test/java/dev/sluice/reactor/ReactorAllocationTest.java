package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import dev.sluice.testing.Depth;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A message that comes in and is sent back costs no garbage. In a JVM of its own, as a server has: what other tests
 * have done in this one, with decorated calls and all kinds of handlers, is what the compiler would go by.
 */
@Tag(Depth.OPTIMIZED)
@EnabledOnOs(OS.LINUX)
class ReactorAllocationTest {

    @Test
    void echoAllocatesNothing() throws Exception {
        measure(EchoingReactor.class);
    }

    @Test
    void echoOfAServiceAllocatesNothing() throws Exception {
        measure(EchoingService.class);
    }

    @Test
    void neitherDoesATraceOfIt() throws Exception {
        measure(EchoingReactor.class, "-Dsluice.trace=1000");
    }

    private static void measure(Class<?> program, String... options) throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"),
                "JNA makes an object of each direct buffer's address, which Sluice cannot change");
        List<Path> path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.isEmpty()).map(Path::of).toList();
        List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=4", "--enable-native-access=ALL-UNNAMED",
                "-Dsluice.native=ffm", "-Dsluice.demultiplexer=epoll"));
        all.addAll(List.of(options));
        List<String> said = SmallJvm.run(program, path, all.toArray(String[]::new));
        double perMessage = Double.parseDouble(said.get(0));
        assertTrue(perMessage < 1, () -> perMessage + " bytes per message");
    }
}
