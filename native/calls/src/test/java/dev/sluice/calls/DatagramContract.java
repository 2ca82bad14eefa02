package dev.sluice.calls;

import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.MSG_TRUNC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_CLOEXEC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_DGRAM;
import static dev.sluice.calls.layout.SocketConstants.SOCK_NONBLOCK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_STREAM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SockaddrIn;
import org.junit.jupiter.api.Test;

/** Datagrams, and the messages that gather and scatter. */
public abstract class DatagramContract extends BindingContract {

    protected DatagramContract(Binding binding) {
        super(binding);
    }

    private int bound() {
        int socket = own(posix.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        Address loopback = Address.inet4(block(Address.SIZE), 0);
        ok(posix.bind(socket, loopback.address(), loopback.length()));
        return socket;
    }

    @Test
    void datagramsCarryTheirSender() {
        int one = bound();
        int other = bound();
        Address to = localAddress(other);
        assertEquals(5, posix.sendto(one, text("hello").address(), 5, 0, to.address(), to.length()));
        Address from = unknownAddress();
        MemoryBlock in = block(100);
        assertEquals(5, posix.recvfrom(other, in.address(), 100, 0, from.address(), from.lengthAddress()));
        assertEquals("hello", text(in, 0, 5));
        assertArrayEquals(localAddress(one).bytes(), from.bytes());
    }

    @Test
    void connectedDatagramsNeedNoAddress() {
        int one = bound();
        int other = bound();
        Address to = localAddress(other);
        ok(posix.connect(one, to.address(), to.length()));
        assertEquals(0, posix.send(one, block(1).address(), 0, 0), "an empty datagram");
        assertEquals(3, posix.send(one, text("abc").address(), 3, 0));
        MemoryBlock in = block(4);
        assertEquals(0, posix.recvfrom(other, in.address(), 4, 0, 0, 0));
        assertEquals(3, posix.recvfrom(other, in.address(), 4, 0, 0, 0));
        assertEquals("abc", text(in, 0, 3));
    }

    @Test
    void sendtoRefuses() {
        int socket = bound();
        Address to = localAddress(socket);
        MemoryBlock big = block(70_000);
        assertFails(Errno.EMSGSIZE, posix.sendto(socket, big.address(), 70_000, 0, to.address(), to.length()));
        assertFails(Errno.EDESTADDRREQ, posix.sendto(socket, big.address(), 1, 0, 0, 0));
        assertFails(Errno.EINVAL, posix.sendto(socket, big.address(), 1, 0, to.address(), 3));
    }

    @Test
    void nonBlockingReceivesSayAgain() {
        int socket = own(posix.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        MemoryBlock memory = block(Msghdr.SIZE);
        assertFails(Errno.EAGAIN, posix.recvfrom(socket, memory.address(), 1, 0, 0, 0));
        Emulator.deviates("makes no recvmsg of a message without elements");
        assertFails(Errno.EAGAIN, posix.recvmsg(socket, memory.address(), 0));
    }

    @Test
    void messagesGatherAndScatterOverAStream() {
        int[] ends = socketPair(SOCK_STREAM);
        MemoryBlock out = text("headbodytail");
        assertEquals(12, posix.sendmsg(ends[0], message(0, 0, out, 4, 8), 0));
        MemoryBlock in = block(20);
        assertEquals(12, posix.recvmsg(ends[1], message(0, 0, in, 1, 3, 10), 0));
        assertEquals("headbodytail", text(in, 0, 12));
    }

    @Test
    void partsNeedNotLieInOrder() {
        int[] ends = socketPair(SOCK_DGRAM);
        MemoryBlock out = text("worldhello");
        MemoryBlock vector = block(2 * Iovec.SIZE);
        Iovec.set(vector.buffer(), 0, out.address() + 5, 5);
        Iovec.set(vector.buffer(), Iovec.SIZE, out.address(), 5);
        MemoryBlock message = block(Msghdr.SIZE);
        Msghdr.set(message.buffer(), 0, 0, 0, vector.address(), 2);
        assertEquals(10, posix.sendmsg(ends[0], message.address(), 0));
        MemoryBlock in = block(10);
        assertEquals(10, posix.recv(ends[1], in.address(), 10, 0));
        assertEquals("helloworld", text(in, 0, 10));
    }

    @Test
    void messagesCarryAddressesAndSayWhatWasTruncated() {
        int one = bound();
        int other = bound();
        Address to = localAddress(other);
        assertEquals(6, posix.sendmsg(one, message(to.address(), to.length(), text("abcdef"), 6), 0));

        Address from = unknownAddress();
        MemoryBlock in = block(8);
        MemoryBlock vector = block(Iovec.SIZE);
        Iovec.set(vector.buffer(), 0, in.address(), 4);
        MemoryBlock message = block(Msghdr.SIZE);
        Msghdr.set(message.buffer(), 0, from.address(), Address.SIZE - Integer.BYTES, vector.address(), 1);
        assertEquals(4, posix.recvmsg(other, message.address(), 0));
        assertEquals("abcd", text(in, 0, 4));
        assertEquals(0, in.buffer().getInt(4), "behind the vector");
        assertEquals(MSG_TRUNC, Msghdr.flags(message.buffer(), 0));
        assertEquals(SockaddrIn.SIZE, Msghdr.nameLength(message.buffer(), 0));
        byte[] sender = new byte[SockaddrIn.SIZE];
        System.arraycopy(from.bytes(), 0, sender, 0, sender.length);
        assertArrayEquals(localAddress(one).bytes(), sender);
    }

    @Test
    void messagesRefuse() {
        int[] ends = socketPair(SOCK_STREAM);
        MemoryBlock message = block(Msghdr.SIZE);
        Msghdr.set(message.buffer(), 0, 0, 0, 0, 2000);
        assertFails(Errno.EMSGSIZE, posix.sendmsg(ends[0], message.address(), 0));
        assertFails(Errno.EMSGSIZE, posix.recvmsg(ends[0], message.address(), 0));
    }

    /** {@return a message whose parts lie one behind the other} */
    private long message(long name, int nameLength, MemoryBlock parts, int... lengths) {
        MemoryBlock vector = block(lengths.length * Iovec.SIZE);
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            Iovec.set(vector.buffer(), i * Iovec.SIZE, parts.address() + at, lengths[i]);
            at += lengths[i];
        }
        MemoryBlock message = block(Msghdr.SIZE);
        Msghdr.set(message.buffer(), 0, name, nameLength, vector.address(), lengths.length);
        return message.address();
    }
}
