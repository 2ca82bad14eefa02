package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.nio.file.Path;

/** Asks the system, after it has opened a file, what the options mean for transfers of this file. */
final class OpenedFile {

    private final OperatingSystem system;
    private final long number;
    private final Path path;
    private final OpenOptions options;

    private OpenedFile(OperatingSystem system, long number, Path path, OpenOptions options) {
        this.system = system;
        this.number = number;
        this.path = path;
        this.options = options;
    }

    /**
     * {@return the properties of a file's transfers}
     *
     * @throws SystemCallException if the file does not have what an option asks for; then it is closed, as it is if
     *                             anything else is thrown
     */
    static FileUse use(Binding binding, long number, Path path, OpenOptions options) throws SystemCallException {
        boolean direct = options.has(FileOption.DIRECT);
        if (!direct && !options.has(FileOption.DONTCACHE)) {
            return options.appends() ? FileUse.APPENDING : FileUse.NONE;
        }
        OperatingSystem system = OperatingSystem.of(binding);
        FileUse use = null;
        try {
            OpenedFile file = new OpenedFile(system, number, path, options);
            use = direct ? file.direct(binding) : file.dontcache();
            return use;
        } finally {
            if (use == null) {
                system.close(number, false);
            }
        }
    }

    private FileUse dontcache() throws SystemCallException {
        int result = system.requireDontcache(number);
        if (result < 0) {
            throw refusal(result);
        }
        int flags = LinuxFileConstants.RWF_DONTCACHE;
        return new FileUse(options.appends(), null, flags, flags, 0, 0);
    }

    private FileUse direct(Binding binding) throws SystemCallException {
        try (Scratch scratch = Scratch.borrow(binding)) {
            requireAsked(system.directAlignment(number, scratch));
            FileAlignment alignment = FileAlignment.in(scratch);
            if (alignment == null) {
                throw refusal(-Errno.EINVAL.number());
            }
            if (!options.has(FileOption.ATOMIC)) {
                return new FileUse(options.appends(), alignment, 0, 0, 0, 0);
            }
            requireAsked(system.atomicLengths(number, scratch));
            int max = scratch.memory().getInt(Scratch.ATOMIC_MAX);
            if (max == 0) {
                throw refusal(-Errno.EOPNOTSUPP.number());
            }
            return new FileUse(false, alignment, 0, LinuxFileConstants.RWF_ATOMIC,
                    scratch.memory().getInt(Scratch.ATOMIC_MIN), max);
        }
    }

    private void requireAsked(int result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException("statx", path.toString(), result);
        }
    }

    private SystemCallException refusal(long result) {
        return new SystemCallException("open", path.toString(), result, options.advice(result));
    }
}
