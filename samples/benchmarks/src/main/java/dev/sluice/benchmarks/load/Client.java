package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;

/** A client of a web server: it asks, reads, thinks, and begins again, with a new connection after some requests. */
final class Client implements EventHandler, TimeoutHandler {

    /** Errors caused by the server or the network. Any other error is a failure of this machine. */
    static final Set<String> LOST = Set.of("ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT");

    private final int number;
    private final ClientsRun run;
    private final WebReply reply;
    private SocketStream stream;
    private Registration registration;
    private boolean isConnected;
    private int asked;
    private boolean waits;
    private long began;
    private Page page;
    private ByteBuffer unsent;

    Client(int number, ClientsRun run) {
        this.number = number;
        this.run = run;
        this.reply = new WebReply(run.pattern());
    }

    /** Requests a page. */
    void ask() throws IOException {
        if (run.tally().isOver()) {
            leave();
            return;
        }
        page = run.nextPage();
        began = System.nanoTime();
        waits = true;
        run.waiting(1);
        request();
    }

    private void request() throws IOException {
        reply.begin(page);
        unsent = page.request().duplicate();
        try {
            if (stream == null) {
                connect();
            } else {
                send();
            }
        } catch (SystemCallException e) {
            lost(e);
        }
    }

    private void connect() throws IOException {
        asked = 0;
        SocketConnector.Attempt attempt = SocketConnector.initiate(run.server(), run.source());
        stream = attempt.stream();
        isConnected = attempt.connected();
        registration = run.reactor().register(stream.handle(), Interest.WRITE, this);
    }

    private void send() throws IOException {
        asked++;
        stream.send(unsent);
        registration.interest(unsent.hasRemaining() ? Interest.READ_WRITE : Interest.READ);
    }

    @Override
    public void handleOutput(Registration ready) throws IOException {
        if (stream == null || ready != registration) {
            return;
        }
        try {
            if (!isConnected) {
                SocketConnector.complete(stream, run.server());
                isConnected = true;
            }
            if (asked == 0) {
                asked = 1;
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
        if (stream == null || ready != registration) {
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
            if (!waits) {
                throw new IOException("client " + number + " got " + received + " bytes that it has not asked for");
            }
            if (reply.take(buffer.flip())) {
                answered();
            }
        }
    }

    private void answered() throws IOException {
        long nanos = System.nanoTime() - began;
        boolean isServed = reply.status() == WebReply.OK;
        if (isServed) {
            run.tally().served(number, nanos);
        } else {
            run.tally().refused();
        }
        waits = false;
        run.waiting(-1);
        if (asked >= run.requests() || reply.closes()) {
            disconnect();
        }
        boolean isTold = !isServed && run.isObedient() && reply.retryAfter() > 0;
        think(isTold ? Duration.ofSeconds(reply.retryAfter()) : run.think());
    }

    /** The connection has ended by itself, with an error or without one. */
    private void lost(SystemCallException error) throws IOException {
        if (error != null && !LOST.contains(error.errorName())) {
            throw error;
        }
        // A server may close an idle connection; the client then asks again, on another one.
        boolean wasIdle = asked > 1 && reply.isUntouched();
        disconnect();
        if (waits && wasIdle) {
            request();
        } else if (waits) {
            run.tally().unanswered();
            waits = false;
            run.waiting(-1);
            think(run.think());
        }
    }

    private void think(Duration time) throws IOException {
        if (run.tally().isOver()) {
            leave();
        } else {
            run.reactor().schedule(this, null, time);
        }
    }

    @Override
    public void handleTimeout(Object token) throws IOException {
        ask();
    }

    /** Counts what it still waits for as unanswered, and closes its connection. */
    void leave() {
        if (waits) {
            run.tally().waitsStill(System.nanoTime() - began);
            waits = false;
            run.waiting(-1);
        }
        disconnect();
    }

    private void disconnect() {
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
