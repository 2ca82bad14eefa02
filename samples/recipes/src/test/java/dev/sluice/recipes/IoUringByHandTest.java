package dev.sluice.recipes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.Mechanism;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class IoUringByHandTest extends ChecksumContract {

    IoUringByHandTest() {
        super(Recipe.of(IoUringByHand.class));
    }

    @BeforeAll
    static void requireIoUring() {
        assumeTrue(Mechanism.available().stream()
                .anyMatch(mechanism -> mechanism.name().equals("io_uring") && mechanism.availability().usable()),
                "this kernel or container refuses io_uring");
    }
}
