package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An image of Java with a recipe in it, made and started as the guide says. */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
@Tag("acceptance")
class JavaImageTest {

    private static final String PORT = "7007";

    @TempDir
    private Path directory;

    /** {@return what makes it, and what starts it} */
    private static List<Command> commands() throws IOException {
        List<Command> commands = Document.read("docs/operations.md").passages().stream()
                .flatMap(passage -> passage.commands().stream()).filter(Command::isOfImage).toList();
        assertEquals(2, commands.size(), commands::toString);
        return commands;
    }

    @Test
    void echoesWithoutAnotherJava() throws Exception {
        InetSocketAddress address = FreePort.address();
        String start = commands().get(1).text();
        assertTrue(start.endsWith(" " + PORT), start);
        try (Checkout checkout = new Checkout(directory)) {
            LongProcess.run(checkout.shell(commands().get(0)));
            String modules = LongProcess.run(withoutJava(checkout, "echo/bin/java --list-modules"));
            assertTrue(modules.contains("dev.sluice.ffm") && !modules.contains("jna"), modules);
            ProcessBuilder builder = withoutJava(checkout, start.replaceFirst(PORT + "$", "" + address.getPort()));
            try (SampleProcess server = SampleProcess.start(builder)) {
                Patience.until(() -> "it echoes: " + server.errors().text(),
                        () -> InstalledArtifactsTest.echoes(server, address));
                server.terminate();
                assertEquals(0, server.awaitExit(), server.errors()::text);
                assertEquals("", server.errors().text());
            }
        }
    }

    private static ProcessBuilder withoutJava(Checkout checkout, String command) {
        ProcessBuilder builder = checkout.shell(new Command(command));
        builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_HOME"));
        builder.environment().put("PATH", "/nowhere");
        return builder;
    }

    /** What the guide says of JNA. When this fails, JNA has become a module, and the guide can say so. */
    @Test
    void jnaCannotBeInOne() throws Exception {
        Command make = new Command(commands().get(0).text().replace("dev.sluice.ffm,", "dev.sluice.jna,"));
        try (Checkout checkout = new Checkout(directory);
                SampleProcess jlink = SampleProcess.start(checkout.shell(make), Duration.ofMinutes(2))) {
            assertNotEquals(0, jlink.awaitExit());
            String said = jlink.output().text() + jlink.errors().text();
            assertTrue(said.contains("automatic module cannot be used with jlink: "), said);
        }
    }
}
