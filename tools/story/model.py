# SPDX-License-Identifier: MIT
"""Qwen3.5's text architecture with a gated delta net in every layer; parameters named as in transformers."""
import json
import math
import os
import struct

import torch
import torch.nn.functional as F
from gated_delta import FORGET, gated_delta
from torch import nn


class Shape:
    """Sizes of a model. 51.1 M parameters as given here, 31.97 MB with the layers' matrices in Q4_0 and embeddings in Q8_0."""

    def __init__(self, vocab, hidden=640, layers=10, ffn=1312, heads=5, head_dim=128, conv=4, eps=1e-6):
        self.vocab, self.hidden, self.layers, self.ffn = vocab, hidden, layers, ffn
        self.heads, self.head_dim, self.conv, self.eps = heads, head_dim, conv, eps


class Norm(nn.Module):
    """RMS norm, its weight kept less one."""

    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.zeros(size)), eps

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * (1 + self.weight)).to(x.dtype)


class GatedNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x, z):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * self.weight * F.silu(z.float())).to(z.dtype)


def linear(inputs, outputs):
    return nn.Linear(inputs, outputs, bias=False)


def four_bits(w):
    """What Q4_0 keeps of w [rows, columns], as ggml's quantiser rounds it: for each 32 columns 16 levels, of which the lowest or highest is the largest value."""
    blocks = w.reshape(w.shape[0], -1, 32)
    scale = blocks.gather(-1, blocks.abs().argmax(-1, keepdim=True)) / -8
    codes = (blocks * torch.where(scale == 0, 0.0, 1 / scale) + 8.5).clamp(0, 15).floor()
    return ((codes - 8) * scale.half().float()).reshape(w.shape)


class Matrix(nn.Linear):
    """A linear map whose weights are `rounded` of the way to what Q4_0 keeps of them (0: as they are). Gradients pass through the rounding."""

    def __init__(self, inputs, outputs):
        super().__init__(inputs, outputs, bias=False)
        self.register_buffer("rounded", torch.zeros(()), persistent=False)

    def stored(self):
        return self.weight + self.rounded * (four_bits(self.weight) - self.weight).detach()

    def forward(self, x):
        return F.linear(x, self.stored().to(x.dtype))


class DeltaNet(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.s, self.width = s, s.heads * s.head_dim
        self.in_proj_qkv, self.in_proj_z = Matrix(s.hidden, 3 * self.width), Matrix(s.hidden, self.width)
        self.in_proj_b, self.in_proj_a = linear(s.hidden, s.heads), linear(s.hidden, s.heads)
        self.conv1d = nn.Conv1d(3 * self.width, 3 * self.width, s.conv, groups=3 * self.width, bias=False)
        step = torch.exp(torch.rand(s.heads) * (math.log(0.1) - math.log(0.001)) + math.log(0.001)).clamp(min=1e-4)
        self.dt_bias = nn.Parameter(step + torch.log(-torch.expm1(-step)))
        self.A_log = nn.Parameter(torch.log(torch.empty(s.heads).uniform_(1, 16)))
        self.norm = GatedNorm(s.head_dim, s.eps)
        self.out_proj = Matrix(self.width, s.hidden)

    def before(self, x):
        s, (batch, length, _) = self.s, x.shape
        weight = torch.cat([self.in_proj_qkv.stored(), self.in_proj_z.stored(), self.in_proj_b.weight, self.in_proj_a.weight])
        u, z, b, a = F.linear(x, weight.to(x.dtype)).split([3 * self.width, self.width, s.heads, s.heads], -1)
        taps = self.conv1d.weight.squeeze(1).to(x.dtype)
        padded = F.pad(u, (0, 0, s.conv - 1, 0))
        u = F.silu(sum(padded[:, j:j + length] * taps[:, j] for j in range(s.conv)))
        q, k, v = (y.reshape(batch, length, s.heads, s.head_dim) for y in u.chunk(3, -1))
        g = -self.A_log.float().exp() * F.softplus(a.float() + self.dt_bias)
        return q, k, v, g, b.float().sigmoid(), z.reshape(batch, length, s.heads, s.head_dim)

    def after(self, out, z):
        return self.out_proj(self.norm(out, z).flatten(-2))


class FeedForward(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.gate_proj, self.up_proj, self.down_proj = Matrix(s.hidden, s.ffn), Matrix(s.hidden, s.ffn), Matrix(s.ffn, s.hidden)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.linear_attn, self.mlp = DeltaNet(s), FeedForward(s)
        self.input_layernorm, self.post_attention_layernorm = Norm(s.hidden, s.eps), Norm(s.hidden, s.eps)

    def first(self, x, begins):
        q, k, v, g, beta, z = self.linear_attn.before(self.input_layernorm(x))
        return q, k, v, g.masked_fill(begins.unsqueeze(-1), -FORGET), beta, z

    def second(self, x, out, z):
        x = x + self.linear_attn.after(out, z)
        return x + self.mlp(self.post_attention_layernorm(x))

    def forward(self, x, begins):
        q, k, v, g, beta, z = self.first(x, begins)
        return self.second(x, gated_delta(q, k, v, g, beta), z)


class Model(nn.Module):
    def __init__(self, s, separator):
        super().__init__()
        self.s, self.separator = s, separator
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(s.vocab, s.hidden)
        self.model.layers = nn.ModuleList([Layer(s) for _ in range(s.layers)])
        self.model.norm = Norm(s.hidden, s.eps)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                std = 0.02 if "embed" in name else 0.7 * p.shape[1] ** -0.5
                nn.init.normal_(p, std=std / math.sqrt(2 * s.layers) if "out_proj" in name or "down_proj" in name else std)

    def hidden(self, ids):
        """[B, T, hidden]: the texts of a row, each of which ends with the separator, know nothing of each other but the convolutions' three tokens."""
        begins = F.pad(ids[:, :-1] == self.separator, (1, 0))
        x = F.embedding(ids, self.model.embed_tokens.weight)
        for layer in self.model.layers:
            x = layer(x, begins)
        return x

    def head(self, x):
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight.to(x.dtype))

    def round(self, share):
        """All matrices of layers `share` of the way to what Q4_0 keeps of them."""
        for module in self.modules():
            if isinstance(module, Matrix):
                module.rounded.fill_(share)

    def losses(self, x, targets):
        return F.cross_entropy(self.head(x).flatten(0, 1).float(), targets.flatten(), reduction="none")


EXACT = ("A_log", "linear_attn.norm.weight", "dt_bias")
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I8": torch.int8}
SCALES = ".scales"


def config(s, end, pad):
    """config.json as transformers and this package read it."""
    return dict(architectures=["Qwen3_5ForCausalLM"], model_type="qwen3_5_text", vocab_size=s.vocab, hidden_size=s.hidden, intermediate_size=s.ffn, num_hidden_layers=s.layers,
                num_attention_heads=1, num_key_value_heads=1, head_dim=64, hidden_act="silu", max_position_embeddings=32768, initializer_range=0.02, rms_norm_eps=s.eps, use_cache=False,
                tie_word_embeddings=True, attention_bias=False, attention_dropout=0.0, linear_conv_kernel_dim=s.conv, linear_key_head_dim=s.head_dim, linear_value_head_dim=s.head_dim,
                rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.25, mrope_section=[3, 3, 2], mrope_interleaved=True),
                linear_num_key_heads=s.heads, linear_num_value_heads=s.heads, layer_types=["linear_attention"] * s.layers, full_attention_interval=s.layers + 1, mlp_only_layers=[],
                mamba_ssm_dtype="float32", dtype="bfloat16", bos_token_id=None, eos_token_id=end, pad_token_id=pad, mtp_num_hidden_layers=0)


def write_tensors(path, named):
    """(name, tensor, its type in the file) as safetensors: the file is written whole or not at all."""
    head, raws, at = {}, [], 0
    for name, value, kind in named:
        t = value.detach().to(TYPES[kind]).contiguous().cpu()
        raws.append((t.view(torch.int16) if kind == "BF16" else t).numpy().tobytes())
        head[name] = dict(dtype=kind, shape=list(t.shape), data_offsets=[at, at + len(raws[-1])])
        at += len(raws[-1])
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(raws))
    os.replace(path + ".part", path)


def eight_bits(w):
    """(codes [rows, columns], scales [rows, columns / 32]): Q8_0's."""
    blocks = w.reshape(w.shape[0], -1, 32)
    scales = (blocks.abs().amax(-1) / 127).half()
    wide = scales.float().unsqueeze(-1)
    return torch.where(wide == 0, 0.0, blocks / wide).round().clamp(-127, 127).reshape(w.shape), scales


def tensors(model):
    """(name, tensor, type) of a checkpoint: matrices in 8 bits with the scale of each 32 columns, rounded as the model rounds them."""
    stored = {f"{name}.weight": module.stored() for name, module in model.named_modules() if isinstance(module, Matrix)}
    for name, value in model.state_dict().items():
        value = stored.get(name, value).float()
        if value.dim() == 2 and value.shape[1] % 32 == 0:
            codes, scales = eight_bits(value)
            yield name, codes, "I8"
            yield name + SCALES, scales, "F16"
        else:
            yield name, value, "F32" if any(key in name for key in EXACT) else "BF16"


@torch.no_grad()
def save(model, folder, end, pad, part_bytes=15 << 20):
    """A checkpoint in parts of at most 16 MiB: about a byte a parameter."""
    os.makedirs(folder, exist_ok=True)
    parts, size = [[]], 0
    for name, value, kind in tensors(model):
        bytes_ = value.numel() * torch.empty((), dtype=TYPES[kind]).element_size()
        if size + bytes_ > part_bytes and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append((name, value, kind))
        size += bytes_
    for i, part in enumerate(parts):
        write_tensors(os.path.join(folder, f"model-{i + 1:05d}-of-{len(parts):05d}.safetensors"), part)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config(model.s, end, pad), file, indent=1)
    if os.path.exists(os.path.join(folder, "mtp.safetensors")):        # it guessed what another model says
        os.remove(os.path.join(folder, "mtp.safetensors"))


def load(model, folder):
    """What save() wrote, or another checkpoint of the same shape."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".safetensors") and name.startswith("model"):
            with open(os.path.join(folder, name), "rb") as file:
                raw = file.read()
            size = struct.unpack("<Q", raw[:8])[0]
            entries = json.loads(raw[8:8 + size])
            entries.pop("__metadata__", None)
            for key, entry in entries.items():
                a, b = entry["data_offsets"]
                part = bytearray(raw[8 + size + a:8 + size + b])
                found[key] = torch.frombuffer(part, dtype=TYPES[entry["dtype"]]).reshape(entry["shape"]).float()
    for name in [name for name in found if name.endswith(SCALES)]:
        found[name.removesuffix(SCALES)] *= found.pop(name).repeat_interleave(32, 1)
    model.load_state_dict(found)
