package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Ties a class of offsets to a C structure: {@code SIZE} is its size, each other {@code int} constant a member. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CStruct {

    /** {@return the C type, such as {@code struct iovec}} */
    String value();

    /** {@return the headers that define it, without brackets} */
    String[] headers();

    /** {@return the systems it exists on} */
    On on() default On.UNIX;
}
