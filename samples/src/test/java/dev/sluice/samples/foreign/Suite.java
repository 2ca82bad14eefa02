package dev.sluice.samples.foreign;

import java.util.List;

/** Test classes of one module, which another processor could break. */
enum Suite {

    CALLS_FFM("native/ffm", "ffm", List.of("dev.sluice.ffm.FfmContractTest", "dev.sluice.ffm.CLibraryTest")),
    CALLS_JNA("native/jna", "jna", List.of("dev.sluice.jna.JnaContractTest", "dev.sluice.jna.CLibraryTest")),
    HANDLES("java-api", "", in("dev.sluice.handle", "HandleTest", "StreamTransferTest", "StreamVectorTest",
            "StreamWaitTest", "StreamEndTest", "SocketAcceptorTest", "SocketConnectorTest", "SocketDatagramTest",
            "SocketAddressTest", "PeerAddressTest", "FileHandleTest", "FileOptionsTest", "MappedFileTest", "PipeTest",
            "PidfdTest", "TimerfdTest", "InotifyTest", "SendFileTest", "DatagramBatchTest", "UrgentDataTest",
            "NativeSocketOptionsTest")),
    READINESS("demultiplexers", "", in("dev.sluice.mechanism", "select.SelectContractTest", "poll.PollContractTest",
            "epoll.EpollContractTest", "epoll.EpollEdgeContractTest", "epoll.EpollOneShotContractTest")),
    COMPLETION("demultiplexers", "", in("dev.sluice.mechanism.emulated", "EmulatedSelectContractTest",
            "EmulatedPollContractTest", "EmulatedEpollContractTest", "EmulatedEpollOneShotContractTest")),
    PATTERNS("demultiplexers", "", in("dev.sluice", "reactor.RegistrationTest", "reactor.DispatchTest",
            "reactor.ReactorTimerTest", "connection.AcceptorTest", "connection.ConnectorTest",
            "connection.ProactiveAcceptorTest", "proactor.StreamReceiveTest", "proactor.StreamSendTest",
            "proactor.CompletionTest", "leaderfollowers.PoolTest", "leaderfollowers.BoundPoolTest"));

    /** What takes some seconds: all calls of both bindings, and addresses. */
    static final List<String> SHORT = List.of("dev.sluice.ffm.FfmContractTest", "dev.sluice.jna.JnaContractTest",
            "dev.sluice.handle.SocketAddressTest", "dev.sluice.handle.PeerAddressTest");

    private final String module;
    private final String binding;
    private final List<String> classes;

    Suite(String module, String binding, List<String> classes) {
        this.module = module;
        this.binding = binding;
        this.classes = classes;
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
