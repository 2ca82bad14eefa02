package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that calls the function that its first parameter points to; the other parameters are the function's
 * own.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CPointer {

    /** {@return the pointer's type in C} */
    String value();
}
