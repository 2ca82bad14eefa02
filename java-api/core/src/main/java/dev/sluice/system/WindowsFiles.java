package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.FileAttributeTag;
import dev.sluice.calls.layout.FileStorage;
import dev.sluice.calls.layout.FileZeroData;
import dev.sluice.calls.layout.Overlapped;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.FileOption;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongToIntFunction;

/**
 * The file calls of Windows. All files are opened for overlapped calls, since that cannot be changed later; the
 * blocking methods here start an overlapped call and wait for its event.
 */
abstract class WindowsFiles extends OperatingSystem {

    /** Maximum length of a path without the prefix (maximum path length limitation). */
    private static final int MAX_PATH = 247;
    private static final String LONG_PATH = "\\\\?\\";
    /** Bit of the event's handle that prevents the call from queueing a packet to a completion port. */
    private static final long NO_PACKET = 1;
    private static final int LONGEST_SECTOR = 4096;

    final Windows windows;

    /** Moves bytes between a range of memory and a position in a file. */
    @FunctionalInterface
    private interface Move {
        long invoke(long address, int length, long position);
    }

    @FunctionalInterface
    private interface Call {
        int invoke(long file, long address, int length, long overlapped);
    }

    WindowsFiles(Binding binding) {
        super(binding);
        this.windows = binding.windows();
    }

    @Override
    public long open(Path path, OpenOptions options) {
        String text = path.toString();
        boolean prefixed = text.length() > MAX_PATH && path.isAbsolute() && text.charAt(0) != '\\';
        byte[] name = ((prefixed ? LONG_PATH : "") + text).getBytes(StandardCharsets.UTF_16LE);
        try (Scratch scratch = Scratch.withCapacity(binding, name.length + Character.BYTES)) {
            scratch.memory().put(Scratch.COPY, name).putChar(Scratch.COPY + name.length, '\0');
            boolean mayBeLink = followsNoLink(options) && !options.has(StandardOpenOption.CREATE_NEW);
            return mayBeLink ? openUnlessLink(scratch, options)
                    : open(scratch, access(options), disposition(options, true), attributes(options));
        }
    }

    private long open(Scratch path, int access, int disposition, int attributes) {
        // Other processes may do to the open file what Unix would let them do.
        int share = Win32Constants.FILE_SHARE_READ | Win32Constants.FILE_SHARE_WRITE | Win32Constants.FILE_SHARE_DELETE;
        return WindowsError.toErrno(windows.CreateFileW(path.address(Scratch.COPY), access, share, 0, disposition,
                attributes | Win32Constants.FILE_FLAG_OVERLAPPED, 0));
    }

    /** Fails for a symbolic link, which would be opened itself, before anything is truncated or deleted. */
    private long openUnlessLink(Scratch path, OpenOptions options) {
        int attributes = attributes(options) | Win32Constants.FILE_FLAG_OPEN_REPARSE_POINT;
        boolean empties = options.writes() && options.has(StandardOpenOption.TRUNCATE_EXISTING);
        // Created before the handle, which would stay open if there were no memory for this afterwards.
        LongToIntFunction preparation = opened -> {
            int result = refuseLink(opened, path);
            return result < 0 || !empties ? result : truncate(opened, 0);
        };
        long file = open(path, access(options), disposition(options, false),
                attributes & ~Win32Constants.FILE_FLAG_DELETE_ON_CLOSE);
        if (file >= 0) {
            file = prepared(file, false, preparation);
        }
        if (file < 0 || !options.losesName()) {
            return file;
        }
        try {
            return open(path, access(options), Win32Constants.OPEN_EXISTING, attributes);
        } finally {
            close(file, false);
        }
    }

    private static int attributes(OpenOptions options) {
        boolean syncs = options.has(StandardOpenOption.SYNC) || options.has(StandardOpenOption.DSYNC);
        return Win32Constants.FILE_ATTRIBUTE_NORMAL | (syncs ? Win32Constants.FILE_FLAG_WRITE_THROUGH : 0)
                | (options.losesName() ? Win32Constants.FILE_FLAG_DELETE_ON_CLOSE : 0)
                | (options.has(FileOption.DIRECT) ? Win32Constants.FILE_FLAG_NO_BUFFERING : 0);
    }

    private static boolean followsNoLink(OpenOptions options) {
        return options.has(LinkOption.NOFOLLOW_LINKS) || options.losesName();
    }

    /** Fails for a link, as on Unix. The flag has opened the link itself. */
    private int refuseLink(long file, Scratch scratch) {
        int at = Scratch.VALUE;
        int result = windows.GetFileInformationByHandleEx(file, Win32Constants.FileAttributeTagInfo,
                scratch.address(at), FileAttributeTag.SIZE);
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        boolean isLink = (scratch.memory().getInt(at + FileAttributeTag.ATTRIBUTES)
                & Win32Constants.FILE_ATTRIBUTE_REPARSE_POINT) != 0
                && scratch.memory().getInt(at + FileAttributeTag.REPARSE_TAG) == Win32Constants.IO_REPARSE_TAG_SYMLINK;
        return isLink ? -Errno.ELOOP.number() : 0;
    }

    @Override
    public int directAlignment(long file, Scratch scratch) {
        int result = windows.GetFileInformationByHandleEx(file, Win32Constants.FileStorageInfo,
                scratch.address(Scratch.VALUE), FileStorage.SIZE);
        int sector = scratch.memory().getInt(Scratch.VALUE + FileStorage.LOGICAL_BYTES_PER_SECTOR);
        // Not every file system reports it; no disk has longer sectors.
        int unit = result < 0 || sector <= 0 ? LONGEST_SECTOR : sector;
        return scratch.direct(unit, unit, unit);
    }

    private static int access(OpenOptions options) {
        int access = (options.reads() ? Win32Constants.GENERIC_READ : 0)
                | (options.losesName() ? Win32Constants.DELETE : 0);
        if (options.appends()) {
            // Without the right to write data, every write appends.
            return access | Win32Constants.FILE_GENERIC_WRITE & ~Win32Constants.FILE_WRITE_DATA;
        }
        return access | (options.writes() ? Win32Constants.GENERIC_WRITE : 0);
    }

    private static int disposition(OpenOptions options, boolean empties) {
        if (!options.writes()) {
            return Win32Constants.OPEN_EXISTING;
        }
        boolean create = options.has(StandardOpenOption.CREATE);
        if (options.has(StandardOpenOption.CREATE_NEW)) {
            return Win32Constants.CREATE_NEW;
        }
        if (empties && options.has(StandardOpenOption.TRUNCATE_EXISTING)) {
            return create ? Win32Constants.CREATE_ALWAYS : Win32Constants.TRUNCATE_EXISTING;
        }
        return create ? Win32Constants.OPEN_ALWAYS : Win32Constants.OPEN_EXISTING;
    }

    @Override
    public long read(long file, long address, long length, long position) {
        // The system rejects a range that ends beyond Long.MAX_VALUE, although no file is that long.
        long known = Math.min(length, Long.MAX_VALUE - position);
        long result = overlapped(file, address, cut(known), position,
                (handle, at, size, overlapped) -> windows.ReadFile(handle, at, size, 0, overlapped));
        return result == -WindowsError.ERROR_HANDLE_EOF ? 0 : WindowsError.toErrno(result);
    }

    @Override
    public long write(long file, long address, long length, long position) {
        return WindowsError.toErrno(overlapped(file, address, cut(length), position,
                (handle, at, size, overlapped) -> windows.WriteFile(handle, at, size, 0, overlapped)));
    }

    @Override
    public long read(long file, Scratch scratch, int elements, long position) {
        return each(scratch, elements, position, (address, length, at) -> read(file, address, length, at));
    }

    @Override
    public long write(long file, Scratch scratch, int elements, long position) {
        return each(scratch, elements, position, (address, length, at) -> write(file, address, length, at));
    }

    /** Moves the elements of the vector sequentially, since there is no scatter/gather call for arbitrary lengths. */
    private static long each(Scratch scratch, int elements, long position, Move move) {
        ByteBuffer memory = scratch.memory();
        long done = 0;
        for (int i = 0; i < elements; i++) {
            int at = Scratch.VECTOR + i * Wsabuf.SIZE;
            int length = memory.getInt(at + Wsabuf.LEN);
            long moved = move.invoke(memory.getLong(at + Wsabuf.BUF), length, position + done);
            if (moved < 0) {
                // The bytes already moved must be reported; the next call will return the error again.
                return done > 0 ? done : moved;
            }
            done += moved;
            if (moved < length) {
                break;
            }
        }
        return done;
    }

    // The file has been opened with the right to append only, so the position is ignored.
    @Override
    public long append(long file, long address, long length) {
        return write(file, address, length, 0);
    }

    @Override
    public long append(long file, Scratch scratch, int elements) {
        return write(file, scratch, elements, 0);
    }

    static int cut(long length) {
        return (int) Math.min(length, Integer.MAX_VALUE);
    }

    private long overlapped(long file, long address, int length, long position, Call call) {
        // Without this, a thread whose stack is full could start the call, but not wait for its end.
        StackReserve.requireForCall();
        long event = windows.CreateEventW(0, 1, 0, 0);
        if (event <= 0) {
            return event;
        }
        try (Scratch scratch = Scratch.borrow(binding)) {
            long overlapped = scratch.address(Scratch.MESSAGE);
            Overlapped.set(scratch.memory(), Scratch.MESSAGE, position, event | NO_PACKET);
            int result = call.invoke(file, address, length, overlapped);
            if (result < 0 && result != -WindowsError.ERROR_IO_PENDING) {
                return result;
            }
            result = overlappedResult(file, overlapped, scratch.address(Scratch.VALUE));
            return result < 0 ? result : scratch.memory().getInt(Scratch.VALUE) & 0xffffffffL;
        } finally {
            windows.CloseHandle(event);
        }
    }

    /**
     * Waits for the end of an overlapped call. Repeats what fails for lack of heap, without a limit: the system may
     * write to the scratch memory and to the buffer until the call has ended.
     */
    private int overlappedResult(long file, long overlapped, long count) {
        while (true) {
            try {
                return windows.GetOverlappedResult(file, overlapped, count, 1);
            } catch (OutOfMemoryError e) {
                OutOfMemoryRetry.pause();
            }
        }
    }

    @Override
    public long size(long file) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            int result = windows.GetFileSizeEx(file, scratch.address(Scratch.VALUE));
            return result < 0 ? WindowsError.toErrno(result) : scratch.memory().getLong(Scratch.VALUE);
        }
    }

    @Override
    public int truncate(long file, long size) {
        return set(file, Win32Constants.FileEndOfFileInfo, size);
    }

    @Override
    public boolean has(RangeCall call) {
        return switch (call) {
            case ALLOCATE, PUNCH_HOLE -> true;
            case PREFETCH, EVICT, WRITE_BACK -> false;
        };
    }

    @Override
    public int call(RangeCall call, long file, long position, long length) {
        return switch (call) {
            case ALLOCATE -> allocate(file, position, length);
            case PUNCH_HOLE -> punchHole(file, position, length);
            case PREFETCH, EVICT, WRITE_BACK -> super.call(call, file, position, length);
        };
    }

    // Only in a sparse file are zeroed ranges freed. The file remains sparse.
    private int punchHole(long file, long position, long length) {
        int result = request(file, Win32Constants.FSCTL_SET_SPARSE, 0, 0);
        if (result < 0) {
            return result;
        }
        try (Scratch scratch = Scratch.forWait(binding)) {
            FileZeroData.set(scratch.memory(), Scratch.VALUE, position, position + length);
            return request(file, Win32Constants.FSCTL_SET_ZERO_DATA, scratch.address(Scratch.VALUE),
                    FileZeroData.SIZE);
        }
    }

    /** Makes a request without a result to the file system. */
    private int request(long file, int code, long input, int inputLength) {
        long result = overlapped(file, input, inputLength, 0, (handle, at, size, overlapped) ->
                windows.DeviceIoControl(handle, code, at, size, 0, 0, 0, overlapped));
        // Of a file system that does not know the request.
        return result == -WindowsError.ERROR_INVALID_FUNCTION ? -Errno.EOPNOTSUPP.number()
                : result < 0 ? WindowsError.toErrno((int) result) : 0;
    }

    // Space behind the end is freed when the file is closed, so the end is moved as well. Both calls
    // truncate a file that is longer, and no call compares atomically.
    private int allocate(long file, long position, long length) {
        long end = position + length;
        long size = size(file);
        if (size < 0 || size >= end) {
            return (int) Math.min(size, 0);
        }
        int result = set(file, Win32Constants.FileAllocationInfo, end);
        return result < 0 ? result : truncate(file, end);
    }

    private int set(long file, int informationClass, long value) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            scratch.memory().putLong(Scratch.VALUE, value);
            return WindowsError.toErrno(windows.SetFileInformationByHandle(file, informationClass,
                    scratch.address(Scratch.VALUE), Long.BYTES));
        }
    }

    @Override
    public int lock(long file, long position, long length, boolean shared, boolean waits) {
        int flags = (shared ? 0 : Win32Constants.LOCKFILE_EXCLUSIVE_LOCK)
                | (waits ? 0 : Win32Constants.LOCKFILE_FAIL_IMMEDIATELY);
        long all = length == 0 ? Long.MAX_VALUE - position : length;
        long result = overlapped(file, 0, 0, position, (handle, at, size, overlapped) ->
                windows.LockFileEx(handle, flags, 0, (int) all, (int) (all >>> Integer.SIZE), overlapped));
        return result == -WindowsError.ERROR_LOCK_VIOLATION ? -Errno.EAGAIN.number()
                : result < 0 ? WindowsError.toErrno((int) result) : 0;
    }

    @Override
    public int unlock(long file, long position, long length) {
        long all = length == 0 ? Long.MAX_VALUE - position : length;
        try (Scratch scratch = Scratch.borrow(binding)) {
            Overlapped.set(scratch.memory(), Scratch.MESSAGE, position, 0);
            return WindowsError.toErrno(windows.UnlockFileEx(file, 0, (int) all, (int) (all >>> Integer.SIZE),
                    scratch.address(Scratch.MESSAGE)));
        }
    }

    @Override
    public int force(long file) {
        int result = windows.FlushFileBuffers(file);
        // A file that was opened for reading has nothing to flush, which is not an error on Unix.
        return result == -WindowsError.ERROR_ACCESS_DENIED ? 0 : WindowsError.toErrno(result);
    }

    @Override
    public long map(long file, boolean writable, boolean shared, long position, long length) {
        int protection = !writable ? Win32Constants.PAGE_READONLY
                : shared ? Win32Constants.PAGE_READWRITE : Win32Constants.PAGE_WRITECOPY;
        int access = !writable ? Win32Constants.FILE_MAP_READ
                : shared ? Win32Constants.FILE_MAP_WRITE : Win32Constants.FILE_MAP_COPY;
        long mapping = windows.CreateFileMappingW(file, 0, protection, 0, 0, 0);
        if (mapping <= 0) {
            return WindowsError.toErrno(mapping);
        }
        // The view keeps the mapping alive.
        long address = windows.MapViewOfFile(mapping, access, (int) (position >>> Integer.SIZE), (int) position,
                length);
        windows.CloseHandle(mapping);
        return WindowsError.toErrno(address);
    }

    @Override
    public int forceMapping(long address, long length) {
        return WindowsError.toErrno(windows.FlushViewOfFile(address, length));
    }

    @Override
    public int unmap(long address, long length) {
        return WindowsError.toErrno(windows.UnmapViewOfFile(address));
    }
}
