package dev.sluice.samples.configurator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.lines.HttpLine;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of the control address. It sends one line, {@code reload} or {@code status}, and gets lines until the end of
 * the connection.
 */
final class ControlConnection extends ServiceHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ControlConnection.class);

    private static final int LONGEST_LINE = 128;
    /** Default time limit of a client, from its connection to the end of its answer. */
    static final Duration PATIENCE = Duration.ofSeconds(10);
    /** What a client may send after its line. */
    private static final int MAX_DRAINED = 64 * 1024;

    private final ServiceConfigurator configurator;
    private final ControlConnections open;
    private final Duration time;
    private final ByteBuffer line = ByteBuffer.allocateDirect(LONGEST_LINE + 1);
    private ByteBuffer answer;
    private Timer patience;
    private int drained;

    ControlConnection(ServiceConfigurator configurator, ControlConnections open, Duration time) {
        this.configurator = configurator;
        this.open = open;
        this.time = time;
    }

    @Override
    protected void open() throws IOException {
        open.enter(this);
        patience = dispatcher().schedule(this, null, time);
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (answer != null) {
            drain();
            return;
        }
        int start = line.position();
        int received = peer().receive(line);
        for (int i = start; i < line.position(); i++) {
            if (line.get(i) == '\n') {
                obey(i);
                return;
            }
        }
        if (received == SocketStream.END_OF_STREAM) {
            obey(line.position());
        } else if (!line.hasRemaining()) {
            answer(List.of("error: a line has " + LONGEST_LINE + " bytes at most"));
        }
    }

    private void obey(int end) throws IOException {
        byte[] octets = new byte[end];
        line.get(0, octets);
        if (HttpLine.isHttp(octets, 0, end)) {
            answer(List.of("error: this is no HTTP server"));
            return;
        }
        String command = new String(octets, UTF_8).strip();
        answer(switch (command) {
            case "reload" -> configurator.reload();
            case "status" -> configurator.status();
            default -> List.of("error: there is reload and status");
        });
    }

    private void answer(List<String> lines) throws IOException {
        byte[] octets = (String.join("\n", lines) + "\n").getBytes(UTF_8);
        answer = ByteBuffer.allocateDirect(octets.length).put(octets).flip();
        send();
    }

    private void send() throws IOException {
        peer().send(answer);
        if (answer.hasRemaining()) {
            registration().interest(Interest.WRITE);
        } else {
            peer().shutdownOutput();
            registration().interest(Interest.READ);
        }
    }

    @Override
    public void handleOutput(Registration registration) throws IOException {
        send();
    }

    /** To close with octets unread could take the answer from the client. */
    private void drain() throws IOException {
        int received = peer().receive(line.clear());
        drained += Math.max(0, received);
        if (received == SocketStream.END_OF_STREAM || drained > MAX_DRAINED) {
            registration().close();
        }
    }

    /** It had its time, whatever it has used it for. */
    @Override
    public void handleTimeout(Object token) {
        end();
    }

    /** Ends it, whatever it is about. */
    void end() {
        registration().close();
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        LOG.debug("{}", peer(), cause);
    }

    @Override
    public void handleClose(Registration registration) {
        peer().close();
        if (patience != null) {
            patience.cancel();
        }
        open.leave(this);
    }
}
