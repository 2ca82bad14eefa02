package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoStatusBlock;
import dev.sluice.calls.layout.ObjectAttributes;
import dev.sluice.calls.layout.UnicodeString;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.wine.CompletionPort.Packet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * Readiness told by a completion port: polls that are asked of the driver of all sockets, {@code \Device\Afd}, as the
 * system's own libraries do.
 */
class AfdTest extends Win32Test {

    private static final int KEY = 5;

    // Known from the drivers' sources and from years of use: no header of Windows has them.
    private static final int IOCTL_AFD_POLL = 0x12024;
    private static final int AFD_POLL_RECEIVE = 1;
    private static final int AFD_POLL_SEND = 4;
    private static final int POLL_TIMEOUT = 0;
    private static final int POLL_NUMBER_OF_HANDLES = 8;
    private static final int POLL_HANDLE = 16;
    private static final int POLL_EVENTS = 24;
    private static final int POLL_SIZE = 32;

    private long afd() {
        byte[] name = "\\Device\\Afd\\Sluice".getBytes(StandardCharsets.UTF_16LE);
        MemoryBlock text = block(name.length);
        text.buffer().put(0, name);
        MemoryBlock string = block(UnicodeString.SIZE);
        UnicodeString.set(string.buffer(), 0, name.length, text.address());
        MemoryBlock attributes = block(ObjectAttributes.SIZE);
        ObjectAttributes.set(attributes.buffer(), 0, string.address());
        MemoryBlock opened = block(Long.BYTES);
        assertEquals(Win32Constants.STATUS_SUCCESS, windows.NtCreateFile(opened.address(), Win32Constants.SYNCHRONIZE,
                attributes.address(), block(IoStatusBlock.SIZE).address(), 0, 0,
                Win32Constants.FILE_SHARE_READ | Win32Constants.FILE_SHARE_WRITE, 1, 0, 0, 0));
        return handle(opened.buffer().getLong(0));
    }

    private MemoryBlock poll(long socket, int events) {
        MemoryBlock poll = block(POLL_SIZE);
        ByteBuffer memory = poll.buffer();
        memory.putLong(POLL_TIMEOUT, Long.MAX_VALUE);
        memory.putInt(POLL_NUMBER_OF_HANDLES, 1);
        memory.putLong(POLL_HANDLE, socket);
        memory.putInt(POLL_EVENTS, events);
        return poll;
    }

    private int start(long afd, MemoryBlock poll, MemoryBlock status) {
        return windows.NtDeviceIoControlFile(afd, 0, 0, status.address(), status.address(), IOCTL_AFD_POLL,
                poll.address(), POLL_SIZE, poll.address(), POLL_SIZE);
    }

    @Test
    void readySocketIsToldByAPacket() {
        CompletionPort port = port();
        long afd = afd();
        port.associate(afd, KEY);
        long[] ends = connection();
        MemoryBlock status = block(IoStatusBlock.SIZE);
        MemoryBlock poll = poll(ends[1], AFD_POLL_RECEIVE);
        assertEquals(Win32Constants.STATUS_PENDING, start(afd, poll, status));
        assertFails(Win32Constants.WAIT_TIMEOUT, port.await(0));

        assertEquals(1, windows.send(ends[0], block("!").address(), 1, 0));
        Packet packet = port.next();
        assertEquals(KEY, packet.key());
        assertEquals(status.address(), packet.overlapped());
        assertEquals(Win32Constants.STATUS_SUCCESS, status.buffer().getInt(IoStatusBlock.STATUS));
        assertEquals(1, poll.buffer().getInt(POLL_NUMBER_OF_HANDLES));
        assertEquals(AFD_POLL_RECEIVE, poll.buffer().getInt(POLL_EVENTS));
    }

    @Test
    void socketThatIsReadyAlreadyIsToldToo() {
        CompletionPort port = port();
        long afd = afd();
        port.associate(afd, KEY);
        MemoryBlock status = block(IoStatusBlock.SIZE);
        MemoryBlock poll = poll(connection()[0], AFD_POLL_RECEIVE | AFD_POLL_SEND);
        start(afd, poll, status);
        assertEquals(status.address(), port.next().overlapped());
        assertEquals(AFD_POLL_SEND, poll.buffer().getInt(POLL_EVENTS));
    }

    @Test
    void cancelledPollCompletesSo() {
        CompletionPort port = port();
        long afd = afd();
        port.associate(afd, KEY);
        MemoryBlock status = block(IoStatusBlock.SIZE);
        MemoryBlock poll = poll(connection()[0], AFD_POLL_RECEIVE);
        assertEquals(Win32Constants.STATUS_PENDING, start(afd, poll, status));
        assertEquals(Win32Constants.STATUS_SUCCESS,
                windows.NtCancelIoFileEx(afd, status.address(), block(IoStatusBlock.SIZE).address()));
        assertEquals(status.address(), port.next().overlapped());
        assertEquals(Win32Constants.STATUS_CANCELLED, status.buffer().getInt(IoStatusBlock.STATUS));
    }
}
