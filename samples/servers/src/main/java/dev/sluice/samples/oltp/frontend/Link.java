package dev.sluice.samples.oltp.frontend;

import dev.sluice.calls.Bindings;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.ReplyParser;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection to a back-end, from its beginning to its end. Any thread sends. It is opened by the thread that
 * connects, and receives in those that its {@link Responses} give it, one at a time.
 */
final class Link extends ServiceHandler {

    private static final long INTRODUCTION = 0;
    private static final int RECEIVE_SIZE = 32 * 1024;
    private static final int MAX_UNSENT = 4 << 20;

    private final BackEnd backEnd;
    private final Responses responses;
    private final Backoff backoff;
    private final ReplyParser parser = new ReplyParser();
    private final ByteBuffer received = Bindings.current().memory().allocateBuffer(RECEIVE_SIZE);

    private final ReentrantLock lock = new ReentrantLock();
    private final ReplyBuffer unsent = new ReplyBuffer();
    private long nextTag = INTRODUCTION;
    private boolean sendsLater;

    /** By {@link System#nanoTime()}. */
    private volatile long lastReceived;
    private volatile boolean introduced;
    private volatile IOException failure;

    Link(BackEnd backEnd, Responses responses, Backoff backoff) {
        this.backEnd = backEnd;
        this.responses = responses;
        this.backoff = backoff;
    }

    Backoff backoff() {
        return backoff;
    }

    @Override
    protected Registration register() throws IOException {
        return responses.receive(handle(), this);
    }

    @Override
    protected void open() throws IOException {
        peer().setOption(NativeSocketOptions.TCP_NODELAY, true);
        dispatcher().schedule(token -> endUnlessIntroduced(), null, backEnd.setupTimeout());
        lock.lock();
        try {
            new Call(backEnd, "INFO", "bank").write(nextTag++, unsent);
            flush();
        } finally {
            lock.unlock();
        }
    }

    private void endUnlessIntroduced() {
        if (!introduced) {
            end(new SocketTimeoutException("it has not reported its bank's size within "
                    + backEnd.setupTimeout().toMillis() + " ms"));
        }
    }

    @Override
    protected void connectFailed(Throwable cause) {
        backEnd.lost(this, cause);
    }

    /** Sends requests, one behind the other. Each is answered or fails, in its own time. */
    void send(List<Call> calls) {
        lock.lock();
        try {
            for (Call call : calls) {
                send(call);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    private void send(Call call) {
        if (unsent.size() > MAX_UNSENT) {
            call.failed(new IOException("the output queue is full"));
            return;
        }
        try {
            call.sent(this, responses.expect(nextTag));
            call.write(nextTag++, unsent);
        } catch (IOException e) {
            // Lost since the caller chose it. As if that had happened a moment later, it will be sent on another one.
            call.sent(this, deadline -> {
                throw e;
            });
        }
    }

    private void flush() {
        try {
            peer().send(unsent.pending());
        } catch (IOException e) {
            end(e);
            return;
        }
        boolean later = unsent.size() > 0;
        if (later != sendsLater) {
            sendsLater = later;
            registration().interest(later ? Interest.READ_WRITE : Interest.READ);
        }
    }

    /**
     * Notes that a response is not awaited any more. If nothing at all has been received since the request, the link is
     * closed, because the peer's machine or network may have failed. A request that was sent late proves nothing.
     */
    void expire(long sentAt, Duration timeout) {
        if (lastReceived - sentAt < 0 && System.nanoTime() - sentAt > timeout.toNanos() / 2) {
            end(new SocketTimeoutException("it does not answer"));
        }
    }

    /** Ends it; those who wait for a response on it fail. */
    void end(IOException cause) {
        failure = cause;
        backEnd.withdraw(this);
        registration().close();
    }

    @Override
    public void handleOutput(Registration registration) {
        lock.lock();
        try {
            flush();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        int count = peer().receive(received.clear());
        lastReceived = System.nanoTime();
        while (count > 0) {
            received.flip();
            takeReplies();
            count = peer().receive(received.clear());
        }
        if (count == SocketStream.END_OF_STREAM) {
            throw new EOFException("it has closed the connection");
        }
    }

    private void takeReplies() throws IOException {
        ReplyParser.Outcome outcome = parser.parse(received);
        while (outcome == ReplyParser.Outcome.COMPLETE && parser.isTagged()) {
            if (parser.tag() == INTRODUCTION && !introduced) {
                backEnd.introduced(this, parser.tagged());
                introduced = true;
            } else {
                responses.handOff(parser.tag(), parser.tagged());
            }
            outcome = parser.parse(received);
        }
        if (outcome != ReplyParser.Outcome.INCOMPLETE) {
            throw new IOException("received something other than a reply to a forwarded request");
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        failure = cause instanceof IOException e ? e : new IOException(cause.toString(), cause);
        // Before callers are notified: they might send their requests again, on this link.
        backEnd.withdraw(this);
    }

    @Override
    public void handleClose(Registration registration) {
        peer().close();
        IOException cause = failure != null ? failure : new IOException("this server is stopping");
        backEnd.lost(this, cause);
        responses.lose(cause);
    }
}
