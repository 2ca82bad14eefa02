package dev.sluice.samples.echo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Clients that others wrote. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class EchoForeignClientTest {

    private static final int PATIENCE_SECONDS = 30;

    @Test
    void netcat() throws Exception {
        exchangeLines("nc", address -> List.of("nc", address.getHostString(), Integer.toString(address.getPort())));
    }

    @Test
    void curl() throws Exception {
        exchangeLines("curl", address -> List.of("curl", "--silent", "--no-buffer",
                "telnet://" + address.getHostString() + ":" + address.getPort()));
    }

    @Test
    void bash() throws Exception {
        exchangeLines("bash", address -> List.of("bash", "-c", "exec 3<>/dev/tcp/" + address.getHostString() + "/"
                + address.getPort() + "; while read -r line; do echo \"$line\" >&3; read -r answer <&3; "
                + "echo \"$answer\"; done"));
    }

    private interface CommandLine {
        List<String> to(InetSocketAddress address);
    }

    private static void exchangeLines(String program, CommandLine command) throws Exception {
        assumeTrue(Programs.has(program), "no " + program + " here");
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0").start()) {
            Process client = new ProcessBuilder(command.to(echo.awaitAddress()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            // Nothing interrupts a read from a process but the end of that process.
            CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS).execute(client::destroyForcibly);
            try (OutputStream input = client.getOutputStream();
                    Reader reader = new InputStreamReader(client.getInputStream(), UTF_8);
                    BufferedReader output = new BufferedReader(reader)) {
                exchange("first line", input, output);
                exchange("a second, longer one, with ümlauts", input, output);
            } finally {
                client.destroyForcibly().waitFor();
            }
            echo.stop();
        }
    }

    private static void exchange(String line, OutputStream input, BufferedReader output) throws IOException {
        input.write((line + "\n").getBytes(UTF_8));
        input.flush();
        assertEquals(line, output.readLine());
    }
}
