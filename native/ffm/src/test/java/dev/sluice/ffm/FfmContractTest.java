package dev.sluice.ffm;

import dev.sluice.calls.Binding;
import dev.sluice.calls.DatagramContract;
import dev.sluice.calls.EpollContract;
import dev.sluice.calls.ErrnoContract;
import dev.sluice.calls.FileContract;
import dev.sluice.calls.InotifyContract;
import dev.sluice.calls.IoUringContract;
import dev.sluice.calls.KqueueContract;
import dev.sluice.calls.LinuxContract;
import dev.sluice.calls.MappingContract;
import dev.sluice.calls.MemoryContract;
import dev.sluice.calls.PidfdContract;
import dev.sluice.calls.PipeContract;
import dev.sluice.calls.ReadinessContract;
import dev.sluice.calls.SocketOptionContract;
import dev.sluice.calls.StreamSocketContract;
import dev.sluice.calls.TimerfdContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contracts of all calls, over java.lang.foreign. */
@Tag(Depth.IN_QUICK)
class FfmContractTest {

    private static final Binding BINDING = new FfmBindingProvider().load();

    @Nested
    class Memories extends MemoryContract {
        Memories() {
            super(BINDING);
        }
    }

    @Nested
    class Errors extends ErrnoContract {
        Errors() {
            super(BINDING);
        }
    }

    @Nested
    class StreamSockets extends StreamSocketContract {
        StreamSockets() {
            super(BINDING);
        }
    }

    @Nested
    class SocketOptions extends SocketOptionContract {
        SocketOptions() {
            super(BINDING);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        Datagrams() {
            super(BINDING);
        }
    }

    @Nested
    class Files extends FileContract {
        Files() {
            super(BINDING);
        }
    }

    @Nested
    class Mappings extends MappingContract {
        Mappings() {
            super(BINDING);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        Pipes() {
            super(BINDING);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        Readiness() {
            super(BINDING);
        }
    }

    @Nested
    class Kqueue extends KqueueContract {
        Kqueue() {
            super(BINDING);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class LinuxOnly extends LinuxContract {
        LinuxOnly() {
            super(BINDING);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class Timerfd extends TimerfdContract {
        Timerfd() {
            super(BINDING);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class Inotify extends InotifyContract {
        Inotify() {
            super(BINDING);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class Pidfd extends PidfdContract {
        Pidfd() {
            super(BINDING);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class Epoll extends EpollContract {
        Epoll() {
            super(BINDING);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class IoUring extends IoUringContract {
        IoUring() {
            super(BINDING);
        }
    }
}
