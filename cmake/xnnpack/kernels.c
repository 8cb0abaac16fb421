// SPDX-License-Identifier: MIT
//
// Which of XNNPACK's micro-kernels are linked, in place of its src/configs: the f32 and the
// qd8-f32-qc8w matrix products, and of these only the kernels that run. The choice between x86 and
// the rest is XNNPACK's own, measured by its authors.

#include <stddef.h>

#include "xnnpack/common.h"
#include "xnnpack/config.h"
#include "xnnpack/gemm.h"
#include "xnnpack/hardware-config.h"
#include "xnnpack/init-once.h"
#include "xnnpack/microparams-init.h"
#include "xnnpack/pack.h"

static struct xnn_gemm_config f32_gemm_config;
static struct xnn_gemm_config qd8_f32_qc8w_gemm_config;

XNN_INIT_ONCE_GUARD(f32_gemm);
XNN_INIT_ONCE_GUARD(qd8_f32_qc8w_gemm);

static void UseGemm(struct xnn_gemm_config* config, struct gemm_fused_ukernels* kernels,
                    xnn_gemm_ukernel_fn one_row, xnn_gemm_ukernel_fn mr_rows, int mr, int nr) {
  kernels->gemm[0] = xnn_init_hmp_gemm_ukernel(one_row);
  kernels->gemm[mr - 1] = xnn_init_hmp_gemm_ukernel(mr_rows);
  config->mr = mr;
  config->nr = nr;
}

static void UseDynamicGemm(struct xnn_gemm_config* config, xnn_dqgemm_ukernel_fn one_row,
                           xnn_dqgemm_ukernel_fn mr_rows, int mr, int nr) {
  config->minmax.dqgemm[0] = xnn_init_hmp_dqgemm_ukernel(one_row);
  config->minmax.dqgemm[mr - 1] = xnn_init_hmp_dqgemm_ukernel(mr_rows);
  config->mr = mr;
  config->nr = nr;
}

#define F32_GEMM(tile, isa) ((xnn_gemm_ukernel_fn)xnn_f32_gemm_ukernel_##tile##__##isa)
#define QD8_GEMM(tile, isa) \
  ((xnn_dqgemm_ukernel_fn)xnn_qd8_f32_qc8w_gemm_minmax_ukernel_##tile##__##isa)

static void init_f32_gemm_config(void) {
  struct xnn_gemm_config* config = &f32_gemm_config;
#if XNN_ARCH_WASMRELAXEDSIMD
  if (xnn_init_hardware_config()->is_x86) {
    UseGemm(config, &config->linear, F32_GEMM(1x8, wasmrelaxedsimd_fma_loadsplat),
            F32_GEMM(4x8, wasmrelaxedsimd_fma_loadsplat), 4, 8);
  } else {
    UseGemm(config, &config->linear, F32_GEMM(1x8, wasmrelaxedsimd_fma_splat),
            F32_GEMM(6x8, wasmrelaxedsimd_fma_splat), 6, 8);
  }
#elif XNN_ARCH_WASMSIMD
  if (xnn_init_hardware_config()->is_x86) {
    UseGemm(config, &config->linear, F32_GEMM(1x8, wasmsimd_loadsplat),
            F32_GEMM(4x8, wasmsimd_loadsplat), 4, 8);
  } else {
    UseGemm(config, &config->linear, F32_GEMM(1x8, wasmsimd_splat), F32_GEMM(5x8, wasmsimd_splat),
            5, 8);
  }
#else
  UseGemm(config, &config->linear, F32_GEMM(1x4, scalar), F32_GEMM(4x4, scalar), 4, 4);
#endif
}

static void init_qd8_f32_qc8w_gemm_config(void) {
  struct xnn_gemm_config* config = &qd8_f32_qc8w_gemm_config;
  config->init.f32 = xnn_init_f32_minmax_scalar_params;
  config->pack_gemm_goi = (xnn_packw_gemm_goi_ukernel_fn)xnn_pack_qs8_gemm_goi_w;
#if XNN_ARCH_WASMRELAXEDSIMD
  const struct xnn_hardware_config* hardware = xnn_init_hardware_config();
  if (hardware->use_wasm_usdot || hardware->use_wasm_sdot) {
    config->log2_kr = 3;
    if (hardware->use_wasm_usdot) {
      UseDynamicGemm(config, QD8_GEMM(1x8c8, wasmusdot_u2), QD8_GEMM(4x8c8, wasmusdot_u2), 4, 8);
    } else if (hardware->is_x86) {
      UseDynamicGemm(config, QD8_GEMM(1x8c8, wasmsdot), QD8_GEMM(2x8c8, wasmsdot), 2, 8);
    } else {
      UseDynamicGemm(config, QD8_GEMM(1x8c8, wasmsdot_u2), QD8_GEMM(4x8c8, wasmsdot_u2), 4, 8);
    }
    return;
  }
#endif
#if XNN_ARCH_WASMSIMD || XNN_ARCH_WASMRELAXEDSIMD
  config->log2_kr = 1;
  config->log2_sr = 2;
  UseDynamicGemm(config, QD8_GEMM(1x4c2s4, wasmsimd_dot16x2_ld128),
                 QD8_GEMM(4x4c2s4, wasmsimd_dot16x2_ld128), 4, 4);
#else
  UseDynamicGemm(config, QD8_GEMM(1x4, scalar), QD8_GEMM(4x4, scalar), 4, 4);
#endif
}

const struct xnn_gemm_config* xnn_init_f32_gemm_config(void) {
  XNN_INIT_ONCE(f32_gemm);
  return &f32_gemm_config;
}

const struct xnn_gemm_config* xnn_init_qd8_f32_qc8w_gemm_config(void) {
  XNN_INIT_ONCE(qd8_f32_qc8w_gemm);
  return &qd8_f32_qc8w_gemm_config;
}

#if !XNN_PLATFORM_WEB
// The kernels above are portable, so that nothing is asked of the processor.
const struct xnn_hardware_config* xnn_init_hardware_config(void) {
  static const struct xnn_hardware_config kNothing = {0};
  return &kNothing;
}
#endif
