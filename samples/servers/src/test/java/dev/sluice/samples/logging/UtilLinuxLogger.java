package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** logger(1) of util-linux, which shows on its standard error what it sends. */
final class UtilLinuxLogger {

    private UtilLinuxLogger() {
    }

    /** Sends a text, and returns the record that it made of it, without framing. */
    static String send(InetSocketAddress address, String options, String text) throws Exception {
        List<String> command = new ArrayList<>(List.of("logger", "--stderr", "--server", "127.0.0.1", "--port",
                Integer.toString(address.getPort()), "--priority", "local4.notice", "--tag", "tests"));
        command.addAll(List.of(options.split(" ")));
        command.add(text);
        Process logger = new ProcessBuilder(command).start();
        try {
            assertTrue(logger.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
            String shown = new String(logger.getErrorStream().readAllBytes(), UTF_8);
            assertEquals(0, logger.exitValue(), shown);
            // Some versions show the count in front of the record as well.
            return shown.stripTrailing().replaceFirst("^\\d+ <", "<");
        } finally {
            logger.destroyForcibly().waitFor();
        }
    }
}
