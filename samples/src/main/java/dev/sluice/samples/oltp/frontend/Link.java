package dev.sluice.samples.oltp.frontend;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketOptions;
import dev.sluice.handle.SocketStream;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.ReplyParser;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** A connection to a back-end, from its beginning to its end. Any thread sends; the loop thread receives. */
final class Link extends ServiceHandler {

    private static final int RECEIVE_SIZE = 32 * 1024;
    private static final int MOST_UNSENT = 4 << 20;

    private final BackEnd backEnd;
    private final ReplyParser parser = new ReplyParser();
    private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_SIZE);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Call> unanswered = new HashMap<>();
    private final ReplyBuffer unsent = new ReplyBuffer();
    private long nextTag;
    private boolean sendsLater;
    private Exception failure = new EOFException("the back-end has closed the connection");
    private boolean lost;

    Link(BackEnd backEnd) {
        this.backEnd = backEnd;
    }

    @Override
    protected void open() throws IOException {
        peer().setOption(SocketOptions.TCP_NODELAY, true);
        reactor().registerHandler(this, EventType.READ);
        backEnd.opened(this);
    }

    @Override
    protected void connectFailed(Exception cause) {
        backEnd.lost(this, cause);
    }

    /** Sends requests, one behind the other. Each is answered, or fails, or is forgotten. */
    void send(List<Call> calls) {
        lock.lock();
        try {
            for (Call call : calls) {
                if (lost || unsent.size() > MOST_UNSENT) {
                    call.fail(lost ? new LinkLostException(failure)
                            : new IOException("too much is waiting to be sent"));
                } else {
                    unanswered.put(nextTag, call);
                    call.sentBy(this, nextTag);
                    call.write(nextTag++, unsent);
                }
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits for the reply any more. */
    void forget(long tag) {
        lock.lock();
        try {
            unanswered.remove(tag);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the link for this reason. */
    void end(IOException cause) {
        handleFailure(handle(), cause);
        reactor().removeHandler(this, EventType.IO);
    }

    private void flush() {
        if (lost) {
            return;
        }
        try {
            peer().send(unsent.pending());
        } catch (IOException e) {
            end(e);
            return;
        }
        boolean later = unsent.size() > 0;
        if (later != sendsLater) {
            sendsLater = later;
            reactor().changeEvents(handle(), later ? EventType.READ | EventType.WRITE : EventType.READ);
        }
    }

    @Override
    public void handleOutput(Handle handle) {
        lock.lock();
        try {
            flush();
        } finally {
            lock.unlock();
        }
    }

    // All of it, because an edge-triggered set reports it once.
    @Override
    public void handleInput(Handle handle) throws IOException {
        int count = peer().receive(received.clear());
        while (count > 0) {
            received.flip();
            takeReplies();
            if (!handle.isOpen()) {
                return;
            }
            count = peer().receive(received.clear());
        }
        if (count == SocketStream.END_OF_STREAM) {
            reactor().removeHandler(this, EventType.IO);
        }
    }

    private void takeReplies() throws IOException {
        ReplyParser.Outcome outcome = parser.parse(received);
        while (outcome == ReplyParser.Outcome.COMPLETE && parser.isTagged()) {
            Call call = answered(parser.tag());
            if (call != null) {
                call.answer(parser.tagged());
            }
            outcome = parser.parse(received);
        }
        if (outcome != ReplyParser.Outcome.INCOMPLETE) {
            throw new IOException("what came is no reply to a forwarded request");
        }
    }

    /** {@return whose reply has come, null if it has not been waited for so long} */
    private Call answered(long tag) throws IOException {
        lock.lock();
        try {
            if (tag >= nextTag) {
                throw new IOException("a reply to a request that was never made: tag " + tag);
            }
            return unanswered.remove(tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void handleFailure(Handle handle, Exception cause) {
        lock.lock();
        try {
            failure = cause;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        List<Call> failed;
        lock.lock();
        try {
            lost = true;
            failed = List.copyOf(unanswered.values());
            unanswered.clear();
        } finally {
            lock.unlock();
        }
        // First, so that whoever sends its request again does not choose this link.
        backEnd.lost(this, failure);
        failed.forEach(call -> call.fail(new LinkLostException(failure)));
    }
}
