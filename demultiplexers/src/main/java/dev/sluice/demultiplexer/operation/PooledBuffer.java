package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.spi.Completions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One of the {@link ProvidedBuffers}. It is free, then handed out with the bytes that have been received into it, may
 * be retained by a handler, and is released. The free buffers of a group are linked.
 */
public final class PooledBuffer extends ProvidedBuffer {

    private static final int FREE = 0;
    private static final int HANDED_OUT = 1;
    private static final int RETAINED = 2;
    private static final int SENT = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(PooledBuffer.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ProvidedBuffers pool;
    private final BufferGroup group;
    final ByteBuffer buffer;
    private final long address;
    private final int number;
    private volatile int state = FREE;
    /**
     * The batch that delivered the buffer and must release it; null if the buffer is retained. Used by the owner of the
     * buffer.
     */
    private @Nullable Completions deliveredBy;
    /** The connection that has received into the buffer; null once it is released. Used inside. */
    private @Nullable HandleAssociation connection;
    /** The next free buffer of the group, which was used earlier than this one. */
    @Nullable PooledBuffer nextFree;
    private final Command releaseCommand = new Command() {
        @Override
        void perform() {
            release();
        }
    };

    /** The buffer as its owner sees it while it is retained; created when it is first retained, and reused. */
    private @Nullable RetainedBuffer retained;
    /** The buffer as a send queue sees it once its owner has sent it. */
    private @Nullable RetainedBuffer sent;

    PooledBuffer(ProvidedBuffers pool, BufferGroup group, ByteBuffer buffer, long address, int number) {
        this.pool = pool;
        this.group = group;
        this.buffer = buffer;
        this.address = address;
        this.number = number;
    }

    /** {@return the address of its memory} */
    public long address() {
        return address;
    }

    /** {@return its size in bytes} */
    public int size() {
        return buffer.capacity();
    }

    /** {@return the group of buffers of the same size} */
    public BufferGroup group() {
        return group;
    }

    /** {@return its number in its group; the first buffer is 0} */
    public int number() {
        return number;
    }

    // Used inside

    /** Adds the buffer to the free ones of its group. */
    void addFree() {
        nextFree = group.free;
        group.free = this;
    }

    /**
     * {@return a free buffer, which is removed from the free ones; null if there is none}
     *
     * @param from the group
     */
    public static @Nullable PooledBuffer takeFree(BufferGroup from) {
        PooledBuffer taken = from.free;
        if (taken != null) {
            assert taken.pool.isInside();
            from.free = taken.nextFree;
            taken.nextFree = null;
        }
        return taken;
    }

    /**
     * Sets the number of bytes that have been received into the buffer, which is then handed out.
     *
     * @param count the number of bytes
     * @return this
     */
    public PooledBuffer filled(int count) {
        buffer.clear().limit(count);
        state = HANDED_OUT;
        return this;
    }

    /** Called when the buffer is about to be handed out: counts it for the connection. */
    void receivedBy(HandleAssociation receiver) {
        connection = receiver;
        receiver.taken += group.places;
        if (isOrdinary()) {
            pool.taken++;
        }
    }

    private boolean isOrdinary() {
        return group.number == ProvidedBuffers.ORDINARY;
    }

    /** Frees the buffer, into which nothing has been received, or whose bytes are no longer needed. */
    public void release() {
        assert pool.isInside();
        if (pool.closed) {
            return;
        }
        HandleAssociation receiver = connection;
        connection = null;
        if (receiver != null) {
            receiver.taken -= group.places;
            if (isOrdinary()) {
                pool.taken--;
            }
            if (pool.exhaustionLogged && !pool.isScarce()) {
                pool.exhaustionLogged = false;
            }
        }
        addFree();
        WaitingReceives waiting = pool.waiting;
        if (waiting.awaitingBuffer.first != null) {
            waiting.resumeNext(group);
        }
        // Not as soon as the first buffer is released, because pausing may cost a system call.
        if (receiver != null && receiver.paused != null && receiver.taken <= pool.maxRetained / 2) {
            waiting.resumeOrAwaitOthers(receiver);
        }
        if (waiting.firstAwaiting != null) {
            waiting.resumeSome();
        }
    }

    // Used by the owner of the buffer

    /** Releases the buffer inside, or queues that as a command for the thread that is inside. */
    private void returnToPool() {
        OperationProcessor processor = pool.processor;
        if (processor.enterInside()) {
            try {
                release();
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
        } else {
            processor.command(releaseCommand);
        }
    }

    /** Called when the completion with this buffer has been collected into a batch. */
    void collectedBy(Completions batch) {
        deliveredBy = batch;
    }

    /**
     * Called when the thread that collected the buffer waits again. If the buffer was retained and released in the
     * meantime, it may have been filled again and belong to another thread.
     */
    void dispatched(Completions batch) {
        if (deliveredBy == batch && STATE.compareAndSet(this, HANDED_OUT, FREE)) {
            deliveredBy = null;
            returnToPool();
        }
    }

    @Override
    public ByteBuffer bytes() {
        if (state != HANDED_OUT) {
            throw new IllegalStateException(misuse("bytes"));
        }
        return buffer;
    }

    @Override
    public RetainedBuffer retain() {
        // Created first, because there may be no memory for it.
        RetainedBuffer owned = retained;
        if (owned == null) {
            owned = new Retained(RETAINED);
            retained = owned;
        }
        if (!STATE.compareAndSet(this, HANDED_OUT, RETAINED)) {
            throw new IllegalStateException(misuse("retain"));
        }
        deliveredBy = null;
        return owned;
    }

    private String misuse(String method) {
        return method + (state >= RETAINED ? ": the buffer has been retained or sent; it belongs to the new owner"
                : ": the buffer was released when received() returned; call retain() inside the hook");
    }

    /** The buffer as its owner sees it: the program, or the send queue. */
    private final class Retained extends RetainedBuffer {

        private final int owned;

        Retained(int owned) {
            this.owned = owned;
        }

        @Override
        public ByteBuffer bytes() {
            if (state != owned) {
                throw released("bytes");
            }
            return buffer;
        }

        @Override
        public RetainedBuffer moved() {
            RetainedBuffer moved = sent;
            if (moved == null) {
                moved = new Retained(SENT);
                sent = moved;
            }
            change("send", SENT);
            return moved;
        }

        @Override
        public void close() {
            change("close", FREE);
            returnToPool();
        }

        private void change(String method, int to) {
            if (!STATE.compareAndSet(PooledBuffer.this, owned, to)) {
                throw released(method);
            }
        }

        private static IllegalStateException released(String method) {
            return new IllegalStateException(
                    method + ": the buffer has been closed or sent before; close or send a retained buffer once");
        }
    }
}
