package dev.sluice.samples.web.files;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The path of an open file or directory according to Windows, with all links resolved. It may begin differently than
 * the path by which it was opened, for instance if a drive stands for a directory.
 *
 * @param path the path
 */
record FinalPath(Path path) {

    /** No path of the system is longer, in characters (maximum path length limitation). */
    private static final int LONGEST = 32 * 1024;
    private static final String LONG_PATH = "\\\\?\\";
    private static final String LONG_SHARE = "\\\\?\\UNC\\";

    /** {@return the path of a directory} */
    static FinalPath of(Path directory) throws IOException {
        Binding binding = Bindings.current();
        Windows windows = binding.windows();
        byte[] name = (directory + "\0").getBytes(StandardCharsets.UTF_16LE);
        try (MemoryBlock memory = binding.memory().allocate(name.length)) {
            memory.buffer().put(0, name);
            long handle = WindowsError.toErrno(windows.CreateFileW(memory.address(), 0,
                    Win32Constants.FILE_SHARE_READ | Win32Constants.FILE_SHARE_WRITE
                            | Win32Constants.FILE_SHARE_DELETE, 0, Win32Constants.OPEN_EXISTING,
                    Win32Constants.FILE_FLAG_BACKUP_SEMANTICS, 0));
            if (handle < 0) {
                throw new SystemCallException("CreateFileW", directory.toString(), handle);
            }
            try {
                return of(handle, directory);
            } finally {
                windows.CloseHandle(handle);
            }
        }
    }

    /** {@return the path of a file} */
    static FinalPath of(FileHandle file) throws IOException {
        return file.handle().withDescriptor(handle -> of(handle, file));
    }

    private static FinalPath of(long handle, Object subject) throws IOException {
        Binding binding = Bindings.current();
        try (MemoryBlock memory = binding.memory().allocate(LONGEST * Character.BYTES)) {
            int length = WindowsError.toErrno(
                    binding.windows().GetFinalPathNameByHandleW(handle, memory.address(), LONGEST, 0));
            if (length < 0 || length > LONGEST) {
                throw new SystemCallException("GetFinalPathNameByHandleW", subject.toString(),
                        length < 0 ? length : -Errno.ENAMETOOLONG.number());
            }
            byte[] name = new byte[length * Character.BYTES];
            memory.buffer().get(0, name);
            return new FinalPath(Path.of(withoutPrefix(new String(name, StandardCharsets.UTF_16LE))));
        }
    }

    private static String withoutPrefix(String name) {
        return name.startsWith(LONG_SHARE) ? "\\\\" + name.substring(LONG_SHARE.length())
                : name.startsWith(LONG_PATH) ? name.substring(LONG_PATH.length()) : name;
    }

    /** {@return whether it is the path that these names have below a directory} */
    boolean isBelow(FinalPath directory, Path names) {
        return path.equals(directory.path.resolve(names));
    }
}
