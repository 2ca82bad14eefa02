package dev.sluice.samples.configurator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ServiceConfiguratorTest {

    /** What is configured: nothing. */
    private static final class Nothing implements Configurable {

        @Override
        public String reload() {
            return "nothing is in force";
        }

        @Override
        public List<String> status() {
            return List.of("nothing 1");
        }
    }

    private static Socket connect(ServiceConfigurator configurator) throws IOException {
        Socket socket = new Socket(configurator.address().getAddress(), configurator.address().getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    private static String ask(Socket socket, String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(UTF_8));
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void endsClientsThatNeverSendAWholeLine() throws Exception {
        try (ServiceConfigurator configurator = new ServiceConfigurator(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new StopRequest(),
                Duration.ofMillis(500))) {
            configurator.start(new Nothing());
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < ControlConnections.MAX_OPEN; i++) {
                silent.add(connect(configurator));
                silent.get(i).getOutputStream().write("stat".getBytes(UTF_8));
            }
            for (Socket each : silent) {
                assertEquals("", ask(each, ""), "its time is over");
                each.close();
            }
            try (Socket socket = connect(configurator)) {
                assertEquals("nothing 1\n", ask(socket, "status\n"));
            }
        }
    }
}
