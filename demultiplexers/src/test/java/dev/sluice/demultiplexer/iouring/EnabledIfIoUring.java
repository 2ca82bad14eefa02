package dev.sluice.demultiplexer.iouring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Skips tests where the kernel or the container has no io_uring. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@EnabledOnOs(OS.LINUX)
@EnabledIf(value = "dev.sluice.demultiplexer.iouring.IoUring#isAllowed",
        disabledReason = "this kernel or container refuses io_uring")
@interface EnabledIfIoUring {
}
