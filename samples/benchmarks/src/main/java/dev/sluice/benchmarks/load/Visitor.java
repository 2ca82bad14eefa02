package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Asks a web server for one page, on a connection of its own. */
final class Visitor implements EventHandler {

    private final VisitsRun run;
    private final int user;
    private final long due;
    private final WebReply reply;
    private final ByteBuffer unsent;
    private SocketStream stream;
    private Registration registration;
    private boolean isConnected;
    private boolean left;

    /**
     * Creates a visitor that has not come.
     *
     * @param run  the run
     * @param user the number of its user
     * @param due  when it wants its page, by {@link System#nanoTime()}
     */
    Visitor(VisitsRun run, int user, long due) {
        this.run = run;
        this.user = user;
        this.due = due;
        this.reply = new WebReply(run.pattern());
        this.unsent = run.page().request().duplicate();
    }

    long due() {
        return due;
    }

    boolean hasLeft() {
        return left;
    }

    /** Connects. */
    void come() throws IOException {
        reply.begin(run.page());
        try {
            SocketConnector.Attempt attempt = SocketConnector.initiate(run.server(), run.source());
            stream = attempt.stream();
            isConnected = attempt.connected();
            registration = run.reactor().register(stream.handle(), Interest.WRITE, this);
        } catch (SystemCallException e) {
            lost(e);
        }
    }

    @Override
    public void handleOutput(Registration ready) throws IOException {
        if (left) {
            return;
        }
        try {
            if (!isConnected) {
                SocketConnector.complete(stream, run.server());
                isConnected = true;
            }
            stream.send(unsent);
            if (!unsent.hasRemaining()) {
                registration.interest(Interest.READ);
            }
        } catch (SystemCallException e) {
            lost(e);
        }
    }

    @Override
    public void handleInput(Registration ready) throws IOException {
        if (left) {
            return;
        }
        ByteBuffer buffer = run.buffer().clear();
        int received;
        try {
            received = stream.receive(buffer);
        } catch (SystemCallException e) {
            lost(e);
            return;
        }
        if (received == SocketStream.END_OF_STREAM) {
            lost(null);
        } else if (received > 0) {
            run.tally().received(received);
            if (reply.take(buffer.flip())) {
                answered();
            }
        }
    }

    private void answered() {
        if (reply.status() == WebReply.OK) {
            run.tally().served(user, System.nanoTime() - due);
        } else {
            run.tally().refused();
        }
        leave();
    }

    /** The connection has ended without an answer. */
    private void lost(SystemCallException error) throws IOException {
        if (error != null && !VisitsRun.isLost(error)) {
            throw error;
        }
        losePatience();
    }

    /** Leaves without a page, unless it has left. */
    void losePatience() {
        if (!left) {
            run.tally().unanswered();
            leave();
        }
    }

    /** Closes its connection. */
    void leave() {
        left = true;
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        run.failed(cause);
    }
}
