package dev.sluice.wine;

import static dev.sluice.calls.layout.Win32Constants.CREATE_NEW;
import static dev.sluice.calls.layout.Win32Constants.FILE_FLAG_OVERLAPPED;
import static dev.sluice.calls.layout.Win32Constants.FILE_SHARE_READ;
import static dev.sluice.calls.layout.Win32Constants.GENERIC_READ;
import static dev.sluice.calls.layout.Win32Constants.GENERIC_WRITE;
import static dev.sluice.calls.layout.Win32Constants.OPEN_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.ExtensionFunction;
import dev.sluice.calls.layout.TransmitFileBuffers;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.wine.CompletionPort.Packet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files, read and written with overlapped calls and sent by the system. */
class FileTest extends Win32Test {

    private static final int FILE = 4;
    /** An offset that no 32-bit number holds. */
    private static final long FAR = 5L << 30;

    @TempDir
    Path directory;

    private long open(Path path, int access, int disposition) {
        return windows.CreateFileW(name(path).address(), access, FILE_SHARE_READ, 0, disposition,
                FILE_FLAG_OVERLAPPED, 0);
    }

    // Of the drive where the host runs, which is the root of Linux.
    private MemoryBlock name(Path path) {
        byte[] bytes = (path.toAbsolutePath().toString() + '\0').getBytes(StandardCharsets.UTF_16LE);
        MemoryBlock name = block(bytes.length);
        name.buffer().put(0, bytes);
        return name;
    }

    @Test
    void bytesBeyondFourGigabytes() throws Exception {
        Path path = directory.resolve("far");
        CompletionPort port = port();
        long file = handle(open(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW));
        port.associate(file, FILE);
        ByteBuffer out = foreign("0123456789");
        OverlappedCall write = overlappedCall().at(FAR);
        OverlappedCall.assertStarted(windows.WriteFile(file, memory.address(out) + 2, 5, 0, write.overlapped()));
        assertEquals(new Packet(FILE, write.overlapped(), 5), port.next());
        ok(windows.FlushFileBuffers(file));
        assertEquals(FAR + 5, Files.size(path));
        MemoryBlock size = block(Long.BYTES);
        ok(windows.GetFileSizeEx(file, size.address()));
        assertEquals(FAR + 5, size.buffer().getLong(0));

        ByteBuffer in = foreign("--------");
        OverlappedCall read = overlappedCall().at(FAR + 1);
        OverlappedCall.assertStarted(windows.ReadFile(file, memory.address(in) + 1, 7, 0, read.overlapped()));
        assertEquals(new Packet(FILE, read.overlapped(), 4), port.next());
        assertEquals("-3456---", text(in, 8));
    }

    @Test
    void endOfTheFileIsAStatusOrAnError() throws Exception {
        Path path = Files.writeString(directory.resolve("short"), "short");
        CompletionPort port = port();
        long file = handle(open(path, GENERIC_READ, OPEN_EXISTING));
        port.associate(file, FILE);
        OverlappedCall read = overlappedCall().at(5);
        int result = windows.ReadFile(file, block(8).address(), 8, 0, read.overlapped());
        // Windows may say so at once, and then there is no packet; Wine never does.
        if (result != -WindowsError.ERROR_HANDLE_EOF) {
            OverlappedCall.assertStarted(result);
            assertEquals(new Packet(FILE, read.overlapped(), 0), port.next());
            assertEquals(Win32Constants.STATUS_END_OF_FILE, read.status());
        }
    }

    @Test
    void failuresHaveTheirNumbers() throws Exception {
        Path path = Files.createFile(directory.resolve("there"));
        assertFails(WindowsError.ERROR_FILE_NOT_FOUND, open(directory.resolve("nowhere"), GENERIC_READ, OPEN_EXISTING));
        assertFails(WindowsError.ERROR_PATH_NOT_FOUND,
                open(directory.resolve("no").resolve("where"), GENERIC_READ, OPEN_EXISTING));
        assertFails(WindowsError.ERROR_FILE_EXISTS, open(path, GENERIC_WRITE, CREATE_NEW));
    }

    @Test
    void lengthIsSet() throws Exception {
        Path path = Files.writeString(directory.resolve("long"), "too long");
        long file = handle(open(path, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING));
        MemoryBlock length = block(Long.BYTES);
        length.buffer().putLong(0, 3);
        ok(windows.SetFileInformationByHandle(file, Win32Constants.FileEndOfFileInfo, length.address(), Long.BYTES));
        assertEquals("too", Files.readString(path));
    }

    @Test
    void fileIsTransmittedBetweenHeadAndTail() throws Exception {
        Path path = Files.writeString(directory.resolve("page"), "0123456789");
        long file = handle(open(path, GENERIC_READ, OPEN_EXISTING));
        CompletionPort port = port();
        long[] ends = connection();
        port.associate(ends[0], FILE);
        ByteBuffer head = foreign("<head>");
        MemoryBlock tail = block("<tail>");
        MemoryBlock around = block(TransmitFileBuffers.SIZE);
        TransmitFileBuffers.set(around.buffer(), 0, memory.address(head), 6, tail.address(), 6);
        OverlappedCall transmit = overlappedCall().at(3);
        OverlappedCall.assertStarted(windows.TransmitFile(pointer(ExtensionFunction.TRANSMIT_FILE, ends[0]), ends[0],
                file, 4, 0, transmit.overlapped(), around.address(), 0));
        assertEquals(new Packet(FILE, transmit.overlapped(), 16), port.next());

        MemoryBlock in = block(32);
        for (int at = 0; at < 16; ) {
            int received = ok(windows.recv(ends[1], in.address() + at, 32 - at, 0));
            assertTrue(received > 0, "end of stream");
            at += received;
        }
        assertEquals("<head>3456<tail>", text(in.buffer(), 16));
    }
}
