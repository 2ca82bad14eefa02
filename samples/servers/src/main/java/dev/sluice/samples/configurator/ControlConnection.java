package dev.sluice.samples.configurator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.samples.lines.HttpLine;
import dev.sluice.timer.Timer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * A client of the control address. It sends one line with a command, such as {@code reload} or {@code status}, and gets
 * lines until the end of the connection.
 */
final class ControlConnection extends ServiceHandler {

    private static final int LONGEST_LINE = 128;
    /** Default time limit of a client, from its connection to the end of its answer. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ServiceConfigurator configurator;
    private final ControlConnections open;
    private final Duration time;
    private final byte[] line = new byte[LONGEST_LINE];
    private int length;
    private boolean answered;
    private Timer timeout;

    ControlConnection(ServiceConfigurator configurator, ControlConnections open, Duration time) {
        this.configurator = configurator;
        this.open = open;
        this.time = time;
    }

    @Override
    protected void open() {
        open.enter(this);
        // The limit covers the whole connection.
        timeout = dispatcher().schedule(token -> close(), null, time);
    }

    @Override
    protected void received(ByteBuffer bytes) {
        while (bytes.hasRemaining() && !answered) {
            byte octet = bytes.get();
            if (octet == '\n') {
                obey();
            } else if (length < LONGEST_LINE) {
                line[length++] = octet;
            } else {
                answer(List.of("error: a line has at most " + LONGEST_LINE + " bytes"));
            }
        }
    }

    @Override
    protected void ended() {
        if (!answered) {
            obey();
        }
    }

    private void obey() {
        if (HttpLine.isHttp(line, 0, length)) {
            answer(List.of("error: this is not an HTTP server"));
            return;
        }
        answer(configurator.obey(new String(line, 0, length, UTF_8).strip()));
    }

    /**
     * Sends the answer. Further octets of the client are discarded, as a close with unread octets could lose the
     * answer.
     */
    private void answer(List<String> lines) {
        answered = true;
        output().send(UTF_8.encode(String.join("\n", lines) + "\n"));
        closeWhenSent();
    }

    @Override
    protected void closed() {
        if (timeout != null) {
            timeout.cancel();
        }
        open.leave(this);
    }
}
