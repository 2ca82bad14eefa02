package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.Descriptors;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A part of a file that is sent, and what is sent before and after it, a head and a tail. How much has been sent says
 * which of them is next; the tail is it only when everything that was asked for has been sent of the file, which is
 * held open.
 */
public final class Transmission extends Arguments {

    private FileHandle file;
    private long bytes;
    private final NativeBytes head;
    private final NativeBytes tail;
    private long done;
    private long fileDescriptor;
    private boolean holdsFile;

    Transmission(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.OUTPUT);
        this.head = new NativeBytes(operation.processor);
        this.tail = new NativeBytes(operation.processor);
    }

    void set(FileHandle newFile, long from, long number, ByteBuffer newHead, ByteBuffer newTail) {
        file = newFile;
        position = from;
        bytes = number;
        head.set(newHead);
        tail.set(newTail);
    }

    @Override
    void check() {
        Objects.requireNonNull(file, "file");
        requireNotNegative(position, "position");
        requireNotNegative(bytes, "bytes");
        if (head.isSameAs(tail)) {
            throw new IllegalArgumentException("one buffer cannot be both head and tail");
        }
        head.check();
        tail.check();
    }

    @Override
    long prepare() {
        try {
            fileDescriptor = Descriptors.of(file.handle()).acquire();
            holdsFile = true;
        } catch (HandleClosedException e) {
            return -Errno.EBADF.number();
        }
        head.take();
        tail.take();
        return areSent() ? 0 : NEEDS_CALL;
    }

    @Override
    boolean continuesStream() {
        return true;
    }

    /** {@return the descriptor of the file} */
    public long fileDescriptor() {
        return fileDescriptor;
    }

    // How far it has come

    @Override
    public long done() {
        return done;
    }

    @Override
    public boolean moved(long number) {
        done += number;
        return false;
    }

    /** {@return how many bytes of the head are still to be sent} */
    public int headLeft() {
        return (int) Math.max(0, head.length() - done);
    }

    /** {@return the address of the first of them} */
    public long headAddress() {
        return head.address() + head.length() - headLeft();
    }

    /** {@return what has been sent of the file and the tail} */
    private long behindHead() {
        return Math.max(0, done - head.length());
    }

    private long fileDone() {
        return Math.min(behindHead(), bytes);
    }

    /** {@return how many bytes of the file are still to be sent} */
    public long fileLeft() {
        return bytes - fileDone();
    }

    /** {@return the position in the file of the first of them} */
    public long filePosition() {
        return position + fileDone();
    }

    /**
     * {@return how many bytes of the file to take next, as the system refuses a range that ends beyond the largest
     * number}
     *
     * @param most the maximum number of bytes
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

    /**
     * Prepares a message of what is left of the head, bytes of the file, and the tail if they are the last that are
     * to be sent of the file.
     *
     * @param fileBytes their address
     * @param number    how many there are
     * @return the number of bytes that the message has
     */
    public long prepareMessage(long fileBytes, int number) {
        memory.clearVector();
        long sum = addPart(headAddress(), headLeft()) + addPart(fileBytes, number);
        if (number == fileLeft()) {
            sum += addPart(tailAddress(), tailLeft());
        }
        memory.endMessage(0);
        return sum;
    }

    private int addPart(long at, int number) {
        if (number > 0) {
            memory.addElement(at, number);
        }
        return number;
    }

    // The end

    @Override
    void takeOver(long result) {
        head.advance(head.length() - headLeft());
        tail.advance(tailDone());
    }

    @Override
    void giveBack() {
        // Here, since the next start may be cancelled before anything is prepared.
        done = 0;
        head.giveBack();
        tail.giveBack();
        if (holdsFile) {
            holdsFile = false;
            Descriptors.of(file.handle()).release();
        }
    }

    @Override
    void leaveMemory(List<Object> touched) {
        head.leaveMemory(touched);
        tail.leaveMemory(touched);
    }

    @Override
    Object subject() {
        return file;
    }

    @Override
    void free() {
        head.set(null);
        tail.set(null);
    }

    @Override
    void forget() {
        file = null;
    }
}
