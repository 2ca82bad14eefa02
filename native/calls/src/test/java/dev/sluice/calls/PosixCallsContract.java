package dev.sluice.calls;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contracts of all calls that a binding for POSIX systems makes. */
public abstract class PosixCallsContract {

    private final Binding tested;

    /**
     * For subclasses.
     *
     * @param binding under test
     */
    protected PosixCallsContract(Binding binding) {
        tested = binding;
    }

    @Nested
    class Memories extends MemoryContract {
        Memories() {
            super(tested);
        }
    }

    @Nested
    class Errors extends ErrnoContract {
        Errors() {
            super(tested);
        }
    }

    @Nested
    class StreamSockets extends StreamSocketContract {
        StreamSockets() {
            super(tested);
        }
    }

    @Nested
    class SocketOptions extends SocketOptionContract {
        SocketOptions() {
            super(tested);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        Datagrams() {
            super(tested);
        }
    }

    @Nested
    class Files extends FileContract {
        Files() {
            super(tested);
        }
    }

    @Nested
    class Directories extends DirectoryContract {
        Directories() {
            super(tested);
        }
    }

    @Nested
    class FileStatuses extends FileStatusContract {
        FileStatuses() {
            super(tested);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class LinuxFiles extends LinuxFileContract {
        LinuxFiles() {
            super(tested);
        }
    }

    @Nested
    class Mappings extends MappingContract {
        Mappings() {
            super(tested);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        Pipes() {
            super(tested);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        Readiness() {
            super(tested);
        }
    }

    @Nested
    class Kqueue extends KqueueContract {
        Kqueue() {
            super(tested);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class LinuxOnly extends LinuxContract {
        LinuxOnly() {
            super(tested);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class Inotify extends InotifyContract {
        Inotify() {
            super(tested);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class Epoll extends EpollContract {
        Epoll() {
            super(tested);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class IoUring extends IoUringContract {
        IoUring() {
            super(tested);
        }
    }
}
