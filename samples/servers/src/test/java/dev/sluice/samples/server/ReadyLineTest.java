package dev.sluice.samples.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.Setups;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Standard output carries one line that a script can rely on, and what the server says otherwise goes elsewhere. */
@EnabledOnOs(OS.LINUX)
class ReadyLineTest {

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.Setups#varied")
    void namesAddressAndMechanism(Setups.Setup setup) throws Exception {
        try (RunningSample echo = setup.command("echo", "--port", "0").start()) {
            String line = echo.awaitReadyLine();
            Pattern expected = Pattern.compile("ready: echo on 127\\.0\\.0\\.1:[1-9][0-9]{0,4} \\("
                    + setup.demultiplexer() + ", " + setup.binding() + ", java " + setup.java().feature() + "\\)");
            assertTrue(expected.matcher(line).matches(), line);
            exchangeWith(echo.awaitAddress());
            echo.stop();
            assertEquals(line + "\n", echo.output().text());
            assertEquals("", echo.errors().text());
        }
    }

    private static void exchangeWith(InetSocketAddress address) throws Exception {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.getOutputStream().write("hello".getBytes(UTF_8));
            assertEquals("hello", new String(socket.getInputStream().readNBytes(5), UTF_8));
        }
    }

    @Test
    void namesTheChoiceOfAuto() throws Exception {
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0").start()) {
            assertTrue(echo.awaitReadyLine().contains(" (epoll, "), echo.awaitReadyLine());
        }
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0")
                .withOption("-Dsluice.demultiplexer=poll").withOption("-Dsluice.native=jna").start()) {
            assertTrue(echo.awaitReadyLine().contains(" (poll, jna, "), echo.awaitReadyLine());
        }
    }

    @Test
    void takesThePortThatItIsGiven() throws Exception {
        int port = FreePort.find();
        try (RunningSample echo = SampleCommand.of("echo", "--port", Integer.toString(port)).start()) {
            assertEquals(port, echo.awaitAddress().getPort());
        }
    }

    @Test
    void complaintsGoToStandardError() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0").start()) {
            String line = logging.awaitReadyLine();
            assertTrue(line.matches("ready: logging on 127\\.0\\.0\\.1:\\d+ \\(epoll, \\w+, java \\d+\\)"), line);
            logging.stop();
            assertEquals(line + "\n", logging.output().text());
            assertTrue(logging.errors().text().contains(" INFO LoggingCommand - 0 records accepted"),
                    logging.errors()::text);
        }
    }
}
