package dev.sluice.eventloop;

import static dev.sluice.demultiplexer.spi.HandleSetKind.CONCURRENT;
import static dev.sluice.demultiplexer.spi.HandleSetKind.ITERATIVE;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says on which demultiplexers the tests of a class run, where it is not on all kinds alike. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface RunsOn {

    /** {@return the kinds of which the tests make sense} */
    HandleSetKind[] value() default {ITERATIVE, CONCURRENT};

    /** {@return the names of the only demultiplexers of which the tests make sense; none for any} */
    String[] only() default {};

    /** {@return the names of the demultiplexers that the tests make no sense of} */
    String[] not() default {};

    /** {@return whether the ordinary build runs them on each demultiplexer, because it matters to them which it is} */
    boolean each() default false;
}
