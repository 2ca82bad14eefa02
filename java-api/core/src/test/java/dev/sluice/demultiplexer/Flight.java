package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An operation with its completions, each of which is checked to be expected. Any thread may start it, and one
 * collects.
 */
final class Flight {

    private final Operation operation;
    private final AtomicInteger starts = new AtomicInteger();
    private final List<SocketStream> streams = new ArrayList<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private Consumer<ProvidedBuffer> receiver = buffer -> copy(buffer.bytes());
    private FileHandle file;
    private Closeable lock;
    private PosixFileAttributes status;
    private volatile int lasts;
    private volatile int partial;
    private volatile long result;

    /** Starts an operation. */
    @FunctionalInterface
    interface Start {
        void on(Operation operation);
    }

    Flight(AsynchronousEventDemultiplexer demultiplexer) {
        operation = demultiplexer.newOperation();
    }

    Operation operation() {
        return operation;
    }

    Flight start(Start start) {
        // Before the start, because the completion may be collected before the starting method returns.
        starts.incrementAndGet();
        boolean started = false;
        try {
            start.on(operation);
            started = true;
        } finally {
            if (!started) {
                starts.decrementAndGet();
            }
        }
        return this;
    }

    /** Sets what is done with provided buffers; by default their bytes are copied to {@link #received}. */
    Flight onBuffer(Consumer<ProvidedBuffer> newReceiver) {
        receiver = newReceiver;
        return this;
    }

    /** Called for each completion of the operation. */
    void completed(Completions completions, int index) {
        long newResult = completions.result(index);
        assertMayComplete();
        SocketStream stream = completions.get(index).stream();
        if (stream != null) {
            assertEquals(0, newResult, "result with a stream");
            streams.add(stream);
        }
        if (completions.get(index).file() != null) {
            assertNull(file, "a second file");
            file = completions.get(index).file();
        }
        Closeable obtained = completions.get(index).lock();
        if (obtained != null) {
            assertEquals(0, newResult, "result with a lock");
            lock = obtained;
        }
        if (completions.get(index).status() != null) {
            assertEquals(0, newResult, "result with attributes");
            status = completions.get(index).status();
        }
        ProvidedBuffer buffer = completions.get(index).buffer();
        if (buffer != null) {
            assertEquals(newResult, buffer.bytes().remaining(), "result with a buffer");
            receiver.accept(buffer);
        }
        result = newResult;
        if (completions.get(index).isLast()) {
            lasts++;
        } else {
            assertTrue(newResult >= 0, () -> operation + " goes on after it has failed");
            partial++;
        }
    }

    /** Fails if each start has had its last completion. */
    void assertMayComplete() {
        assertTrue(lasts < starts.get(), () -> operation + " completes more often than it was started");
    }

    private void copy(ByteBuffer buffer) {
        assertTrue(buffer.isDirect());
        assertNotEquals(0, buffer.remaining());
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        received.writeBytes(bytes);
    }

    /** {@return whether there have been as many last completions as starts} */
    boolean isDone() {
        boolean done = lasts == starts.get();
        assertFalse(done && operation.isInFlight(), () -> "in flight after its last completion: " + operation);
        return done;
    }

    /** {@return the number of last completions} */
    int lasts() {
        return lasts;
    }

    /** {@return the number of completions that were not the last} */
    int partial() {
        return partial;
    }

    /** {@return the result of the latest completion} */
    long result() {
        return result;
    }

    /** {@return the connections that it has accepted} */
    List<SocketStream> streams() {
        return streams;
    }

    SocketStream stream() {
        return streams.get(streams.size() - 1);
    }

    FileHandle file() {
        return file;
    }

    /** {@return the lock that it has obtained last, which the caller closes; null if there is none} */
    Closeable takeLock() {
        Closeable taken = lock;
        lock = null;
        return taken;
    }

    /** {@return the attributes that it has read last} */
    PosixFileAttributes status() {
        return status;
    }

    byte[] received() {
        return received.toByteArray();
    }

    int receivedCount() {
        return received.size();
    }

    /** Closes what it has brought, after checking that each start has completed at most once. */
    void close() throws IOException {
        assertTrue(lasts <= starts.get(), () -> operation + " has completed more often than it was started");
        streams.forEach(SocketStream::close);
        if (lock != null) {
            lock.close();
        }
        if (file != null) {
            file.close();
        }
    }

    @Override
    public String toString() {
        return operation.toString();
    }
}
