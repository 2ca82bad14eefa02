package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a class whose {@code int} constants have the names and values of C macros or enumerators. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CConstants {

    /** {@return the headers that define them, without brackets} */
    String[] headers();

    /** {@return the systems they exist on} */
    On on() default On.UNIX;
}
