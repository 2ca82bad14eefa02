package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.spi.Completions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * One of the {@link ProvidedBuffers}: free, handed out with what has been received into it, perhaps retained by a
 * handler, and given back. The free ones of each group are linked to one another.
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
     * The batch that delivered the buffer and must release it; null if the buffer is retained. Used by the thread that
     * the buffer belongs to.
     */
    private Completions deliveredBy;
    /** The connection that has received into it, until it is released. Used inside. */
    private HandleAssociation connection;
    /** The free one of its group that was used before it. */
    PooledBuffer nextFree;
    private final Command releaseCommand = new Command() {
        @Override
        void perform() {
            giveBack();
        }
    };

    /** What its owner has while it is retained; made when it first is, and used again. */
    private RetainedBuffer retained;
    /** What a queue has instead, once its owner has sent it. */
    private RetainedBuffer sent;

    PooledBuffer(ProvidedBuffers pool, BufferGroup group, ByteBuffer buffer, long address, int number) {
        this.pool = pool;
        this.group = group;
        this.buffer = buffer;
        this.address = address;
        this.number = number;
    }

    /** {@return where its memory begins} */
    public long address() {
        return address;
    }

    /** {@return its size in bytes} */
    public int size() {
        return buffer.capacity();
    }

    /** {@return the buffers of its size} */
    public BufferGroup group() {
        return group;
    }

    /** {@return its number in its group; the first buffer is 0} */
    public int number() {
        return number;
    }

    // Used inside

    /** Makes it a free one of its group. */
    void addFree() {
        nextFree = group.free;
        group.free = this;
    }

    /**
     * {@return a free buffer, which is no longer one of the free; null if there is none}
     *
     * @param from its group
     */
    public static PooledBuffer takeFree(BufferGroup from) {
        PooledBuffer taken = from.free;
        if (taken != null) {
            assert taken.pool.isInside();
            from.free = taken.nextFree;
            taken.nextFree = null;
        }
        return taken;
    }

    /**
     * Sets the buffer up with what a receive has put into it.
     *
     * @param count the number of bytes
     * @return this
     */
    public PooledBuffer filled(int count) {
        buffer.clear().limit(count);
        state = HANDED_OUT;
        return this;
    }

    /** The buffer is about to be handed out. */
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

    /** Makes it free again: nothing has been received into it, or that is no longer needed. */
    public void giveBack() {
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
        if (waiting.starving.first != null) {
            waiting.passOn(group);
        }
        // Not as soon as the first one is back, since pausing may cost a system call.
        if (receiver != null && receiver.paused != null && receiver.taken <= pool.maxRetained / 2) {
            waiting.resumeOrAwaitOthers(receiver);
        }
        if (waiting.firstAwaiting != null) {
            waiting.resumeSome();
        }
    }

    // Used by the thread that the buffer belongs to

    /** Gives it back inside, or leaves that to the thread that is inside. */
    private void leave() {
        OperationProcessor processor = pool.processor;
        if (processor.enterInside()) {
            try {
                giveBack();
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

    /** The completion with this buffer has been collected into a batch. */
    void collectedBy(Completions batch) {
        deliveredBy = batch;
    }

    /**
     * The thread that collected the buffer waits again. If the buffer was retained and released in the meantime, it may
     * have been filled again and belong to another thread.
     */
    void dispatched(Completions batch) {
        if (deliveredBy == batch && STATE.compareAndSet(this, HANDED_OUT, FREE)) {
            deliveredBy = null;
            leave();
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
        // Made first: there may be no memory for it.
        if (retained == null) {
            retained = new Retained(RETAINED);
        }
        if (!STATE.compareAndSet(this, HANDED_OUT, RETAINED)) {
            throw new IllegalStateException(misuse("retain"));
        }
        deliveredBy = null;
        return retained;
    }

    private String misuse(String method) {
        return method + (state >= RETAINED ? ": the buffer has been retained or sent; it belongs to the new owner"
                : ": the buffer was given back when received() returned; call retain() inside the hook");
    }

    /** The buffer as its owner sees it: the program, or the queue that it has been sent by. */
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
            if (sent == null) {
                sent = new Retained(SENT);
            }
            change("send", SENT);
            return sent;
        }

        @Override
        public void close() {
            change("close", FREE);
            leave();
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
