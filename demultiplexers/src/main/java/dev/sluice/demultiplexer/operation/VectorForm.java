package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.Wsabuf;
import java.nio.ByteBuffer;

/** The form of vectors of buffers and of the addresses of datagrams in the calls of a system. */
public enum VectorForm {

    /** {@code iovec} and {@code msghdr}, for {@code sendmsg}, {@code recvmsg}, {@code preadv} and {@code pwritev}. */
    POSIX {
        @Override
        void setElement(ByteBuffer memory, int at, long address, int length) {
            Iovec.set(memory, at, address, length);
        }

        @Override
        void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count) {
            Msghdr.set(memory, at, name, nameLength, vector, count);
        }

        @Override
        int nameLength(ByteBuffer memory, int at) {
            return Msghdr.nameLength(memory, at);
        }
    },

    /**
     * {@code WSABUF}, for {@code WSASend}, {@code WSARecv} and the like. The address of a datagram is an argument of
     * these calls, so a message has only the size of the address.
     */
    WINSOCK {
        @Override
        void setElement(ByteBuffer memory, int at, long address, int length) {
            Wsabuf.set(memory, at, address, length);
        }

        @Override
        void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count) {
            memory.putInt(at, nameLength);
        }

        @Override
        int nameLength(ByteBuffer memory, int at) {
            return memory.getInt(at);
        }
    };

    /** The maximum size of a message structure in bytes. */
    static final int MESSAGE_SIZE = 64;

    /** The size of an element of a vector in bytes. */
    static final int ELEMENT_SIZE = 16;

    /** Sets the element of a vector at an offset in the given memory. */
    abstract void setElement(ByteBuffer memory, int at, long address, int length);

    /**
     * Fills in the description of a message for a call.
     *
     * @param memory     the memory that holds it
     * @param at         the offset in that memory
     * @param name       the address of the peer's address, or of the space for it; 0 if there is none
     * @param nameLength its size in bytes
     * @param vector     the address of the vector
     * @param count      the number of its elements
     */
    abstract void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count);

    /** {@return the size of the address that a received message came from} */
    abstract int nameLength(ByteBuffer memory, int at);
}
