package dev.sluice.demultiplexer;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketStream;
import java.util.Objects;

/**
 * The completions that one wait collected, in an object that is made once and reused: one for each thread that waits,
 * or more if it waits again before it is done with what it has got. What one of them brought does not change when
 * another one is waited with. Comes from {@link AsynchronousEventDemultiplexer#newCompletions} and works with that
 * demultiplexer alone.
 */
public class Completions implements AutoCloseable {

    /** What the last wait brought; behind that, what is left of earlier ones and can be filled again. */
    private final Completion[] completions;
    private int size;

    /**
     * For demultiplexers.
     *
     * @param capacity the most completions that one wait collects, at least 1
     */
    public Completions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        completions = new Completion[capacity];
    }

    /** {@return how many completions the last wait collected} */
    public final int size() {
        return size;
    }

    /** {@return the most completions that one wait collects} */
    public final int capacity() {
        return completions.length;
    }

    /**
     * One of the completions.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the completion, valid until this is waited with again, cleared or closed
     */
    public final Completion get(int index) {
        return completions[Objects.checkIndex(index, size)];
    }

    /**
     * The operation that a completion belongs to.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the operation; if this was its last completion it may be started again
     */
    public final Operation operation(int index) {
        return get(index).operation();
    }

    /**
     * How it went: see the methods of {@link Operation} for what a number from 0 on means.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the result, or a negated error number, of which {@code -ECANCELED} stands for a cancellation
     */
    public final long result(int index) {
        return get(index).value();
    }

    /**
     * Whether the operation is over. Only the two continuous types have completions that are not the last.
     *
     * @param index 0 to {@link #size()} - 1
     * @return false if more completions of this operation will come
     */
    public final boolean isLast(int index) {
        return get(index).isLast();
    }

    /**
     * The connection that was accepted; the caller owns it from now on.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the connection, null if the completion brings none
     */
    public final SocketStream stream(int index) {
        return get(index).stream();
    }

    /**
     * The file that was opened; the caller owns it from now on.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the file, null if the completion brings none
     */
    public final FileHandle file(int index) {
        return get(index).file();
    }

    /**
     * What a continuous receive received.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the bytes, null if the completion brings none
     */
    public final ProvidedBuffer buffer(int index) {
        return get(index).buffer();
    }

    /**
     * For demultiplexers: adds a completion.
     *
     * @param completion filled
     * @return in exchange one that is not needed any more, or null
     */
    public final Completion add(Completion completion) {
        Completion spent = completions[size];
        completions[size++] = completion;
        return spent;
    }

    /** {@return whether no more completions can be added} */
    public final boolean isFull() {
        return size == completions.length;
    }

    /** Forgets the completions, so that nothing keeps their objects from being collected. */
    public void clear() {
        for (int i = 0; i < size; i++) {
            completions[i].forget();
        }
        size = 0;
    }

    /** Gives back what the demultiplexer needed for it; no wait may be using it. */
    @Override
    public void close() {
        clear();
    }
}
