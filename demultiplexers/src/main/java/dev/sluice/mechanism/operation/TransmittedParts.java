package dev.sluice.mechanism.operation;

import java.util.List;

/**
 * What a transmission consists of: a head, a part of a file, and a tail. How much of it has been sent says which of
 * them is next; the tail is it only when everything that was asked for has been sent of the file. Used only inside,
 * except for the check.
 */
public final class TransmittedParts {

    private final PreparedOperation operation;
    private final NativeBytes head;
    private final NativeBytes tail;

    TransmittedParts(PreparedOperation operation, OperationProcessor processor) {
        this.operation = operation;
        this.head = new NativeBytes(processor);
        this.tail = new NativeBytes(processor);
    }

    /** Called by the starting thread. */
    void check() {
        if (operation.head() != null && operation.head() == operation.tail()) {
            throw new IllegalArgumentException("one buffer cannot be both head and tail");
        }
        head.require(operation.head());
        tail.require(operation.tail());
    }

    void prepare() {
        head.take(operation.head());
        tail.take(operation.tail());
    }

    /** {@return how many bytes of the head are still to be sent} */
    public int headLeft() {
        return (int) Math.max(0, head.length() - operation.done());
    }

    /** {@return the address of the first of them} */
    public long headAddress() {
        return head.address() + head.length() - headLeft();
    }

    /** {@return what has been sent of the file and the tail} */
    private long behindHead() {
        return Math.max(0, operation.done() - head.length());
    }

    private long fileDone() {
        return Math.min(behindHead(), operation.bytes());
    }

    /** {@return how many bytes of the file are still to be sent} */
    public long fileLeft() {
        return operation.bytes() - fileDone();
    }

    /** {@return the position in the file of the first of them} */
    public long filePosition() {
        return operation.position() + fileDone();
    }

    /**
     * {@return how many bytes of the file to take next, as the system refuses a range that ends beyond the largest
     * number}
     *
     * @param most there is no room for more
     */
    public int nextOfFile(int most) {
        return (int) Math.min(Math.min(fileLeft(), most), Long.MAX_VALUE - filePosition());
    }

    private int tailDone() {
        return (int) (behindHead() - fileDone());
    }

    /** {@return how many bytes of the tail are still to be sent, once it is its turn} */
    public int tailLeft() {
        return tail.length() - tailDone();
    }

    /** {@return the address of the first of them} */
    public long tailAddress() {
        return tail.address() + tailDone();
    }

    /** {@return whether everything has been sent} */
    public boolean areSent() {
        return headLeft() == 0 && fileLeft() == 0 && tailLeft() == 0;
    }

    /** Advances the buffers by what has been sent of them. */
    void advance() {
        head.advance(head.length() - headLeft());
        tail.advance(tailDone());
    }

    void leaveMemory(List<Object> memory) {
        head.leaveMemory(memory);
        tail.leaveMemory(memory);
    }

    void giveBack() {
        head.giveBack();
        tail.giveBack();
    }
}
