package dev.sluice.system;

import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.FileConstants;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/** The flags that Unix's {@code open(2)} takes. */
public final class OpenFlags {

    /** The permissions of a created file, before the process's umask takes some away. */
    public static final int MODE = 0666;

    /** The flags to open a directory whose names are to be used: on Linux without the permission to read it. */
    static final int DIRECTORY = FileConstants.O_CLOEXEC | FileConstants.O_DIRECTORY
            | (Platform.CURRENT.isLinux() ? FileConstants.O_PATH : FileConstants.O_RDONLY);

    private OpenFlags() {
    }

    /**
     * Converts options.
     *
     * @param requested of {@link StandardOpenOption}; those that create or truncate the file count only if it is opened
     *                  for writing
     * @return flags of {@code open(2)}
     * @throws UnsupportedOperationException if there is any other option
     */
    public static int of(OpenOption... requested) {
        Set<OpenOption> options = Set.copyOf(Arrays.asList(requested));
        boolean append = options.contains(StandardOpenOption.APPEND);
        boolean write = append || options.contains(StandardOpenOption.WRITE);
        boolean read = !write || options.contains(StandardOpenOption.READ);
        int flags = FileConstants.O_CLOEXEC
                | (!write ? FileConstants.O_RDONLY : read ? FileConstants.O_RDWR : FileConstants.O_WRONLY);
        for (OpenOption option : options) {
            if (!(option instanceof StandardOpenOption standard)) {
                throw new UnsupportedOperationException("open option " + option);
            }
            flags |= switch (standard) {
                case READ, WRITE -> 0;
                case APPEND -> FileConstants.O_APPEND;
                // StandardOpenOption ignores them unless the file is opened for writing, but O_RDONLY | O_TRUNC empties
                // the file.
                case CREATE -> write ? FileConstants.O_CREAT : 0;
                case CREATE_NEW -> write ? FileConstants.O_CREAT | FileConstants.O_EXCL : 0;
                case TRUNCATE_EXISTING -> write ? FileConstants.O_TRUNC : 0;
                case SYNC -> FileConstants.O_SYNC;
                default -> throw new UnsupportedOperationException("open option " + option);
            };
        }
        return flags;
    }
}
