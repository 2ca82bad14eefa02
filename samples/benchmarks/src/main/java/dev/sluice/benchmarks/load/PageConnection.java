package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/** A client's connection to a web server, on which it asks for a page and reads the reply. */
abstract class PageConnection implements EventHandler {

    /** Errors caused by the server or the network. Any other error is a failure of this machine. */
    private static final Set<String> LOST = Set.of("ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT");

    private final PageRun run;
    private final WebReply reply;
    private SocketStream stream;
    private Registration registration;
    private boolean isConnected;
    private ByteBuffer unsent;

    PageConnection(PageRun run) {
        this.run = run;
        this.reply = new WebReply(run.pattern());
    }

    final WebReply reply() {
        return reply;
    }

    final boolean isOpen() {
        return stream != null;
    }

    /** Asks for a page, on the connection that there is, or on a new one. */
    final void request(Page page) throws IOException {
        reply.begin(page);
        unsent = page.request().duplicate();
        try {
            if (stream == null) {
                SocketConnector.Attempt attempt = SocketConnector.initiate(run.server(), run.source());
                stream = attempt.stream();
                isConnected = attempt.connected();
                registration = run.reactor().register(stream.handle(), Interest.WRITE, this);
            } else {
                stream.send(unsent);
                registration.interest(unsent.hasRemaining() ? Interest.READ_WRITE : Interest.READ);
            }
        } catch (SystemCallException e) {
            lose(e);
        }
    }

    /** The whole reply has come. */
    abstract void answered() throws IOException;

    /** The connection has ended by itself. It is still open here. */
    abstract void lost() throws IOException;

    /** {@return whether there may be more to read} */
    abstract boolean isWaiting();

    @Override
    public final void handleOutput(Registration ready) throws IOException {
        if (stream == null || ready != registration) {
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
            lose(e);
        }
    }

    @Override
    public final void handleInput(Registration ready) throws IOException {
        if (stream == null || ready != registration) {
            return;
        }
        ByteBuffer buffer = run.buffer().clear();
        int received;
        try {
            received = stream.receive(buffer);
        } catch (SystemCallException e) {
            lose(e);
            return;
        }
        if (received == SocketStream.END_OF_STREAM) {
            lost();
        } else if (received > 0) {
            run.tally().received(received);
            if (!isWaiting()) {
                throw new IOException(this + " got " + received + " bytes that it has not asked for");
            }
            if (reply.take(buffer.flip())) {
                answered();
            }
        }
    }

    private void lose(SystemCallException error) throws IOException {
        if (!LOST.contains(error.errorName())) {
            throw error;
        }
        lost();
    }

    final void disconnect() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }

    @Override
    public final void handleFailure(Registration failed, Throwable cause) {
        run.failed(cause);
    }
}
