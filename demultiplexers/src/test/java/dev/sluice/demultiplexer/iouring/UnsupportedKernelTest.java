package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_NODROP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_SINGLE_MMAP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_REMOVE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PROBE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_CLAMP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_CQSIZE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A kernel that lacks a required feature: this is reported before the demultiplexer is used. */
@EnabledIfIoUring
class UnsupportedKernelTest extends LeakChecked {

    static Stream<Arguments> lacking() {
        LesserKernel newest = LesserKernel.LINUX_6_1;
        Stream<Arguments> features = Stream.of(
                Arguments.of(LesserKernel.LINUX_5_6, "Linux 5.11"),
                Arguments.of(newest.withoutSetUp("CQSIZE", IORING_SETUP_CQSIZE), "Linux 5.11"),
                Arguments.of(newest.withoutSetUp("CLAMP", IORING_SETUP_CLAMP), "Linux 5.11"),
                Arguments.of(newest.withoutRegistration("PROBE", IORING_REGISTER_PROBE), "io_uring_register probe"),
                Arguments.of(LesserKernel.withoutFeature("SINGLE_MMAP", IORING_FEAT_SINGLE_MMAP), "Linux 5.11"),
                Arguments.of(LesserKernel.withoutFeature("NODROP", IORING_FEAT_NODROP), "Linux 5.11"),
                Arguments.of(LesserKernel.withoutFeature("EXT_ARG", IORING_FEAT_EXT_ARG), "Linux 5.11"));
        // All that requests are made of; 4, 5, 8 and the like are not.
        Stream<Arguments> operations = IntStream.of(1, 2, 3, 6, 9, 10, 11, 13, 14, 16, 18, 19, 22, 23, 26, 27, 30, 34)
                .mapToObj(operation -> Arguments.of(LesserKernel.withoutOperation(operation),
                        "lacks operation " + operation + " "));
        return Stream.concat(features, operations);
    }

    static Stream<Arguments> lackingReadiness() {
        return Stream.concat(lacking().limit(7), IntStream.of(IORING_OP_POLL_ADD, IORING_OP_POLL_REMOVE)
                .mapToObj(operation -> Arguments.of(LesserKernel.withoutOperation(operation),
                        "lacks operation " + operation + " ")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lacking")
    void completionIsRefusedAndTheNextBestTaken(LesserKernel kernel, String reason) throws Exception {
        try (LesserKernel.Running running = kernel.run()) {
            assertRefused(IoUringDemultiplexer.NAME, Mode.ASYNCHRONOUS, reason);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lackingReadiness")
    void readinessIsRefused(LesserKernel kernel, String reason) throws Exception {
        try (LesserKernel.Running running = kernel.run()) {
            assertRefused(IoUringPollDemultiplexer.NAME, Mode.SYNCHRONOUS, reason);
        }
    }

    /** A seccomp profile may name one call and forget another. */
    @ParameterizedTest
    @CsvSource({"io_uring_register, EPERM", "io_uring_register, ENOSYS", "io_uring_enter, EPERM",
        "io_uring_enter, EACCES", "io_uring_enter, ENOSYS"})
    void aCallThatIsForbiddenForItself(String call, Errno error) throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach(call, error);
            assertRefused(IoUringDemultiplexer.NAME, Mode.ASYNCHRONOUS, call);
            assertRefused(IoUringPollDemultiplexer.NAME, Mode.SYNCHRONOUS, call);
        }
    }

    private void assertRefused(String name, Mode mode, String reason) throws Exception {
        List<Mechanism> known = Mechanism.available().stream()
                .filter(factory -> factory.mode() == mode && factory.name().equals(name)).toList();
        assertEquals(1, known.size());
        Mechanism.Availability availability = known.get(0).availability();
        assertFalse(availability.usable());
        assertTrue(availability.reason().contains(reason), availability.reason());
        Mechanism next = Mechanism.choose("auto", mode);
        assertNotEquals(name, next.name());
        DemultiplexerFactory factory = DemultiplexerFactory.of(next);
        own(mode == Mode.ASYNCHRONOUS ? factory.openAsynchronous() : factory.openSynchronous());
    }
}
