package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.handle.FileHandle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** A connection whose system calls are simulated: it takes as many bytes as the test allows. */
final class PlayedConnection implements Connection {

    private final boolean completes;
    private final Thread owner = Thread.currentThread();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Executor loop;
    private final ByteArrayOutputStream wire = new ByteArrayOutputStream();
    private final List<String> events = new ArrayList<>();
    private final Output output = new Output();
    /** Number of bytes that the system takes. */
    int capacity;
    /** The number of bytes in each send. */
    final List<Integer> calls = new ArrayList<>();
    IOException failure;
    Error error;
    /** Thrown by each send, as for a buffer whose memory has been freed. */
    RuntimeException refusal;
    Error wakeError;
    Error resumeError;
    private ByteBuffer[] inFlight;
    private int inFlightCount;
    private boolean awaitsSpace;

    /** Creates a connection that is established. */
    PlayedConnection(boolean completes) {
        this(completes, Runnable::run);
        output.established();
    }

    PlayedConnection(boolean completes, Executor loop) {
        this.completes = completes;
        this.loop = loop;
    }

    /** {@return the calls of the queue since the last invocation} */
    List<String> events() {
        List<String> copy = List.copyOf(events);
        events.clear();
        return copy;
    }

    /** {@return the bytes that the peer has received} */
    String received() {
        return wire.toString(ISO_8859_1);
    }

    int receivedCount() {
        return wire.size();
    }

    /** Runs the submitted tasks. Returns their number. */
    int runTasks() {
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            count++;
        }
        return count;
    }

    /** Lets the system take that many more bytes. */
    void take(int more) {
        capacity = (int) Math.min(Integer.MAX_VALUE, (long) capacity + more);
        if (inFlight != null) {
            complete();
        }
        while (awaitsSpace && capacity > 0) {
            output.writable();
        }
    }

    private void complete() {
        while (inFlight != null && capacity > 0) {
            ByteBuffer[] sent = inFlight;
            long bytes = move(sent, inFlightCount);
            boolean all = true;
            for (int i = 0; i < inFlightCount; i++) {
                all &= !sent[i].hasRemaining();
            }
            if (!all) {
                capacity = 0;
            }
            inFlight = null;
            output.transmitted(bytes, null);
        }
    }

    /** Completes the operation in flight as cancelled, without having sent anything. */
    void cancelInFlight() {
        inFlight = null;
        output.transmitted(0, new IOException("cancelled"));
    }

    boolean isInFlight() {
        return inFlight != null;
    }

    void peerEnds() {
        output.inputEnded();
    }

    boolean discardsInput() {
        return output.discardsInput();
    }

    void finishByDefault() {
        output.closeByDefault();
    }

    void establish() {
        output.established();
    }

    private long move(ByteBuffer[] buffers, int count) {
        int moved = 0;
        for (int i = 0; i < count && capacity > 0; i++) {
            byte[] bytes = new byte[Math.min(capacity, buffers[i].remaining())];
            buffers[i].get(bytes);
            wire.writeBytes(bytes);
            capacity -= bytes.length;
            moved += bytes.length;
        }
        return moved;
    }

    private final class Output extends OutputQueue {

        Output() {
            super(PlayedConnection.this);
        }

        @Override
        protected boolean isOwner() {
            return Thread.currentThread() == owner;
        }

        @Override
        protected void wakeOwner() {
            if (wakeError != null) {
                throw wakeError;
            }
            tasks.add(this::serve);
        }

        private void failIfAsked() throws IOException {
            if (failure != null) {
                throw failure;
            }
            if (refusal != null) {
                throw refusal;
            }
            if (error != null) {
                Error thrown = error;
                error = null;
                throw thrown;
            }
        }

        @Override
        protected boolean sendNow(ByteBuffer bytes) throws IOException {
            if (completes) {
                return false;
            }
            failIfAsked();
            calls.add(bytes.remaining());
            move(new ByteBuffer[] {bytes}, 1);
            return true;
        }

        @Override
        protected long transmit(ByteBuffer[] buffers, int count) throws IOException {
            failIfAsked();
            int size = 0;
            for (int i = 0; i < count; i++) {
                size += buffers[i].remaining();
            }
            calls.add(size);
            if (!completes) {
                return move(buffers, count);
            }
            inFlight = buffers;
            inFlightCount = count;
            return IN_FLIGHT;
        }

        @Override
        protected long transmit(FileHandle file, long position, long count) throws IOException {
            failIfAsked();
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(Math.min(count, capacity), 10));
            if (bytes.hasRemaining() && file.read(bytes, position) < 0) {
                return END_OF_FILE;
            }
            wire.writeBytes(bytes.array());
            capacity -= bytes.position();
            return bytes.position();
        }

        @Override
        protected void awaitSpace(boolean waits) {
            awaitsSpace = waits;
            if (!completes) {
                events.add(waits ? "wait" : "no wait");
            }
        }

        @Override
        protected void pauseInput() {
            events.add("pause");
        }

        @Override
        protected void resumeInput() {
            if (resumeError != null) {
                throw resumeError;
            }
            events.add("resume");
        }

        @Override
        protected void shutdownOutput() {
            events.add("shutdown");
        }

        @Override
        protected void linger() {
            events.add("linger");
        }

        @Override
        protected void end(Throwable cause) {
            events.add(cause == null ? "end" : "end: " + cause.getMessage());
            awaitsSpace = false;
            ended(cause);
        }

        void close() {
            closing();
            events.add("close");
            ended(null);
        }

        long count() {
            return sentBytes();
        }
    }

    @Override
    public OutputQueue output() {
        return output;
    }

    @Override
    public SocketAddress remoteAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long receivedBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long sentBytes() {
        return output.count();
    }

    @Override
    public long openedNanos() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isConnected() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void closeWhenSent() {
        output.closeWhenSent();
    }

    @Override
    public void close() {
        output.close();
    }

    @Override
    public Executor loop() {
        return loop;
    }

    @Override
    public String toString() {
        return "played connection";
    }
}
