package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import dev.sluice.testing.Depth;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledIfIoUring
@ParameterizedClass(name = "{0}")
@MethodSource("ways")
class IoUringDataContractTest extends AsynchronousDataContract {

    IoUringDataContractTest(IoUring way) {
        super(way);
    }

    static Stream<IoUring> ways(TestInfo test) {
        return Depth.first(test, Stream.of(IoUring.USUAL, IoUring.PLAIN, IoUring.ZERO_COPY), 3);
    }
}
