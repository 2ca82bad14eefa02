package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The control address answers valid requests, and no client can keep it from doing so for long. */
@EnabledOnOs(OS.LINUX)
class WebControlTest {

    private static final int MAX_CONNECTIONS = 16;

    private static WebSample start(WebDriver driver) throws IOException {
        return WebSample.start(driver, "--control", "0");
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    private static void send(Socket socket, String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    @Tag(Depth.IN_QUICK)
    void answersALineAndEnds(WebDriver driver) throws Exception {
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("ok: configuration 2 is active"), control.ask("reload"));
            assertEquals(List.of("ok: configuration 3 is active"), control.ask(" reload\r"));
            assertEquals("3", control.status("configuration"));
            List<String> unknown = List.of("error: unknown command; the commands are reload, status, info, init, fini, "
                    + "suspend, resume, concurrency");
            assertEquals(unknown, control.ask("stop"));
            assertEquals(unknown, control.ask(""));
            try (Socket socket = control.connect()) {
                for (char each : "reload\nreload\n".toCharArray()) {
                    send(socket, String.valueOf(each));
                }
                assertEquals("ok: configuration 4 is active\n", answer(socket), "to the first line alone");
            }
            try (Socket socket = control.connect()) {
                send(socket, "reload");
                socket.shutdownOutput();
                assertEquals("ok: configuration 5 is active\n", answer(socket));
            }
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void refusesALongLine(WebDriver driver) throws Exception {
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            for (int length : new int[] {129, 1_000, 60_000}) {
                try (Socket socket = control.connect()) {
                    send(socket, "x".repeat(length));
                    assertEquals("error: a line has at most 128 bytes\n", answer(socket), length + " bytes");
                }
                try (Socket socket = control.connect()) {
                    send(socket, " ".repeat(128 - "status".length()) + "status\n");
                    assertTrue(answer(socket).startsWith("configuration 1\n"));
                }
            }
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    @Tag(Depth.IN_MATRIX)
    void leavesThoseThatNeverEnd(WebDriver driver) throws Exception {
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < MAX_CONNECTIONS; i++) {
                silent.add(control.connect());
                send(silent.get(i), "stat");
            }
            for (Socket each : silent) {
                assertEquals("", answer(each), "its time is over");
                each.close();
            }
            assertEquals("1", control.status("configuration"));
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void silentClientsKeepNoOtherOut(WebDriver driver) throws Exception {
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 3 * MAX_CONNECTIONS; i++) {
                silent.add(control.connect());
            }
            assertEquals("1", control.status("configuration"));
            assertEquals("", answer(silent.get(0)), "the oldest is closed");
            Socket last = silent.get(silent.size() - 1);
            send(last, "status\n");
            assertTrue(answer(last).startsWith("configuration 1\n"), "the newest is not");
            for (Socket each : silent) {
                each.close();
            }
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void theServerEndsThoughAReloadWaitsForAFile(WebDriver driver, @TempDir Path directory) throws Exception {
        Path pipe = directory.resolve("pipe");
        ExternalProgram.run(List.of("mkfifo", pipe.toString()));
        Path config = Files.writeString(directory.resolve("web.conf"), "max-put = 1");
        // In a process, as the thread that waits for the pipe ends with nothing else.
        try (WebSample web = WebSample.of(SampleCommand.of(driver.command("--control", "0", "--config",
                config.toString())).startProcess())) {
            ControlClient control = ControlClient.of(web);
            web.address();
            Files.writeString(config, "access-log = " + pipe);
            try (Socket reload = control.connect()) {
                send(reload, "reload\n");
                Patience.until("it waits until the pipe is read", () -> isSilent(control));
                assertEquals("200", web.status("/"));
                web.process().stop();
            }
            assertTrue(web.process().errors().text().contains("while a configuration is still being read"));
        }
    }

    private static boolean isSilent(ControlClient control) throws IOException {
        try (Socket status = control.connect()) {
            send(status, "status\n");
            status.setSoTimeout(500);
            status.getInputStream().read();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void survivesEndlessLinesAndResets(WebDriver driver) throws Exception {
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            web.address();
            long before = web.process().figures().openSockets();
            for (int i = 0; i < 3 * MAX_CONNECTIONS; i++) {
                try (Socket socket = control.connect()) {
                    socket.setSoLinger(true, 0);
                    send(socket, i % 2 == 0 ? "reload\n" : "rel");
                }
            }
            try (Socket socket = control.connect()) {
                OutputStream out = socket.getOutputStream();
                byte[] octets = "y".repeat(1 << 16).getBytes(UTF_8);
                Patience.until("it is cut", () -> {
                    try {
                        out.write(octets);
                        return false;
                    } catch (IOException e) {
                        return true;
                    }
                });
            }
            Patience.until("it answers, as those before have been closed", () -> {
                try {
                    return !control.status("configuration").isEmpty();
                } catch (SocketException e) {
                    // One too many, which is closed at once.
                    return false;
                }
            });
            Patience.until("all are closed", () -> web.process().figures().openSockets() == before);
            web.process().stop();
        }
    }
}
