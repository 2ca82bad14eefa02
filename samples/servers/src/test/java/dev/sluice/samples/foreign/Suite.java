package dev.sluice.samples.foreign;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Test classes of one module, which another processor could break. */
enum Suite {

    CALLS_FFM("native/ffm", "ffm", List.of("dev.sluice.ffm.FfmContractTest", "dev.sluice.ffm.CLibraryTest")),
    CALLS_JNA("native/jna", "jna", List.of("dev.sluice.jna.JnaContractTest", "dev.sluice.jna.CLibraryTest")),
    HANDLES("java-api/core", "", in("dev.sluice.handle", "HandleTest", "StreamTransferTest", "StreamVectorTest",
            "StreamWaitTest", "StreamEndTest", "SocketAcceptorTest", "SocketConnectorTest", "SocketDatagramTest",
            "SocketAddressTest", "PeerAddressTest", "FileHandleTest", "FileOptionsTest", "MappedFileTest", "PipeTest",
            "InotifyTest", "SendFileTest", "DatagramBatchTest", "DatagramSendBatchTest", "CoalescedDatagramBatchTest",
            "DatagramSegmentationTest", "UrgentDataTest", "NativeSocketOptionsTest")),
    READINESS("demultiplexers", "", in("dev.sluice.demultiplexer", "select.SelectContractTest",
            "poll.PollContractTest", "epoll.EpollContractTest", "epoll.EpollEdgeContractTest",
            "epoll.EpollOneShotContractTest", "iouring.IoUringPollContractTest")),
    COMPLETION("demultiplexers", "", in("dev.sluice.demultiplexer", "emulated.EmulatedSelectContractTest",
            "emulated.EmulatedPollContractTest", "emulated.EmulatedEpollContractTest",
            "emulated.EmulatedEpollOneShotContractTest", "iouring.IoUringContractTest")),
    PATTERNS("demultiplexers", "", in("dev.sluice", "reactor.RegistrationTest", "reactor.DispatchTest",
            "reactor.ReactorTimerTest", "connection.AcceptorTest", "connection.ConnectorTest",
            "proactor.AsyncAcceptorTest", "proactor.StreamReceiveTest", "proactor.StreamSendTest",
            "proactor.CompletionTest")),
    POOLS("java-api/leader-followers", "", in("dev.sluice", "leaderfollowers.PoolTest",
            "leaderfollowers.BoundPoolTest", "connection.SeveralThreadsTest")),
    SHARED("demultiplexers", "", in("dev.sluice", "reactor.SharedReactorTest", "reactor.SharedReactorTimersTest",
            "reactor.SharedReactorEndTest", "proactor.SharedProactorTest", "proactor.SharedProactorTimersTest",
            "proactor.SharedProactorEndTest")),
    STAGES("java-api/stages", "", in("dev.sluice.stages", "QueueContractTest", "HandlerContractTest",
            "ReleasableEventTest", "WaitingHandlerTest", "StageGraphTest", "StagePoolTest", "WorkerThreadsTest",
            "ControlledStageTest", "io.SocketStagesTest", "io.ConnectionWritingTest", "io.FileStageTest"));

    /**
     * What takes some seconds: the calls in which structures, addresses, options and flags go back and forth, by both
     * bindings, and addresses. Not what takes long for other reasons, such as the rounds of the test of errors.
     */
    static final List<String> SHORT = Stream.concat(
            Stream.of("ffm.FfmContractTest", "jna.JnaContractTest").flatMap(binding ->
                    Stream.of("StreamSockets", "SocketOptions", "Datagrams", "Files", "Readiness", "Inotify", "Epoll")
                            .map(calls -> binding + "$" + calls)),
            Stream.of("handle.SocketAddressTest", "handle.PeerAddressTest"))
            .map(name -> "dev.sluice." + name).toList();

    private final String module;
    private final String binding;
    private final List<String> classes;

    Suite(String module, String binding, List<String> classes) {
        this.module = module;
        this.binding = binding;
        this.classes = classes;
    }

    /** {@return what {@code -Dforeign.suites} calls it} */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    String module() {
        return module;
    }

    List<String> classes() {
        return classes;
    }

    /** {@return whether it runs with this binding, as all do that are not of the other one} */
    boolean isFor(String name) {
        return binding.isEmpty() || binding.equals(name);
    }

    private static List<String> in(String parent, String... names) {
        return List.of(names).stream().map(name -> parent + "." + name).toList();
    }
}
